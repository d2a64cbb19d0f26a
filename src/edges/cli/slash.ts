/** How the words behind `/memory:WORD` become a command line. */
interface Slash {
  /** The command it runs; its own word when absent. */
  readonly runs?: string;
  /** Words before the rest, which is one text as the user typed it. Absent: every word stands for itself. */
  readonly lead?: number;
  /** Options that may stand anywhere, and whether a value follows. In a text every other dash is just a dash. */
  readonly options?: Readonly<Record<string, boolean>>;
  /** The option that takes the text. */
  readonly into?: string;
}

const ANYONE = { '--user': false } as const;

export const SLASH: Readonly<Record<string, Slash>> = {
  start: {},
  stop: {},
  status: {},
  rebuild: {},
  workspace: {},
  user: {},
  save: { lead: 1, options: { ...ANYONE, '--shared': false, '--title': true, '--tag': true, '--file': true } },
  search: {
    lead: 0,
    options: { ...ANYONE, '--include-retired': false, '--limit': true, '--category': true, '--kind': true, '--since': true, '--until': true },
  },
  recall: { lead: 0 },
  retire: { lead: 1, options: ANYONE, into: '--reason' },
  archive: { lead: 1, options: ANYONE, into: '--reason' },
  unarchive: {},
  restore: {},
  gc: {},
  config: {},
  summarize: {},
  synthesize: {},
  why: {},
};

/** Words as a person types them: quotes hold a word together only where they begin and end one, so that `don't` stays what it is. */
const wordsIn = (text: string): string[] =>
  [...text.matchAll(/"([^"]*)"(?=\s|$)|'([^']*)'(?=\s|$)|(\S+)/g)].map(([, double, single, plain]) => double ?? single ?? plain ?? '');

/** Takes the options out of a text and leaves the rest as it stands. */
function splitText(text: string, options: Readonly<Record<string, boolean>>): { readonly taken: string[]; readonly rest: string } {
  const taken: string[] = [];
  const parts = text.split(/(\s+)/);
  const rest: string[] = [];
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] as string;
    const takesValue = Object.hasOwn(options, part) ? options[part] : undefined;
    if (takesValue === undefined) rest.push(part);
    else if (takesValue) {
      taken.push(part, parts[at + 2] ?? '');
      at += 2;
    } else taken.push(part);
  }
  return { taken, rest: rest.join('').trim() };
}

const unquoted = (text: string): string =>
  /^"([^"]*)"$|^'([^']*)'$/
    .exec(text)
    ?.slice(1)
    .find((inner) => inner !== undefined) ?? text;

/** The command line behind `/memory:WORD TEXT`; the text comes from a file, never through a shell. */
export function slashArguments(word: string, text: string, session?: string): readonly string[] {
  const { runs = word, lead, options = {}, into } = SLASH[word] ?? {};
  if (lead === undefined) {
    const words = wordsIn(text);
    return [runs, ...words, ...(runs === 'summarize' && session !== undefined && words.every((each) => each.startsWith('-')) ? [session] : [])];
  }
  const { taken, rest } = splitText(text, options);
  const before = new RegExp(`^(?:\\S+\\s*){0,${lead}}`).exec(rest)?.[0] ?? '';
  const body = unquoted(rest.slice(before.length));
  const words = before.split(/\s+/).filter((each) => each !== '');
  if (into !== undefined) return [runs, ...taken, ...(body === '' ? [] : [into, body]), ...(words.length > 0 ? ['--', ...words] : [])];
  return [runs, ...taken, ...(rest === '' ? [] : ['--', ...words, ...(body === '' ? [] : [body])])];
}
