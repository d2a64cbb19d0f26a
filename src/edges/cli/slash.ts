/** How the words behind `/memory:WORD` become a command line. */
interface Slash {
  /** The command that it runs; by default the one of the same name. */
  readonly runs?: string;
  /** How many words come before the text, which is passed on as typed. If absent, every word is an argument. */
  readonly lead?: number;
  /** Options that may stand anywhere in the text, and whether a value follows. Other dashes are text. */
  readonly options?: Readonly<Record<string, boolean>>;
  /** The option that takes the text. */
  readonly into?: string;
}

const USER_OPTION = { '--user': false } as const;

export const SLASH: Readonly<Record<string, Slash>> = {
  start: {},
  stop: {},
  status: {},
  rebuild: {},
  workspace: {},
  user: {},
  task: { lead: 0, options: { '--done': false, '--drop': false } },
  save: { lead: 1, options: { ...USER_OPTION, '--shared': false, '--title': true, '--tag': true, '--file': true } },
  search: {
    lead: 0,
    options: {
      ...USER_OPTION,
      '--include-retired': false,
      '--quarantined': false,
      '--limit': true,
      '--category': true,
      '--kind': true,
      '--since': true,
      '--until': true,
    },
  },
  recall: { lead: 0 },
  retire: { lead: 1, options: USER_OPTION, into: '--reason' },
  archive: { lead: 1, options: { ...USER_OPTION, '--list': false }, into: '--reason' },
  unarchive: {},
  restore: {},
  undo: {},
  gc: {},
  inbox: {},
  config: {},
  summarize: {},
  synthesize: {},
  why: {},
};

/** A word as people type it. Quotes count only around a whole word, so that `don't` stays one word. */
const WORD = /"[^"]*"(?=\s|$)|'[^']*'(?=\s|$)|\S+/g;

const unquoted = (text: string): string =>
  /^"([^"]*)"$|^'([^']*)'$/
    .exec(text)
    ?.slice(1)
    .find((inner) => inner !== undefined) ?? text;

/** Takes the options out of a text and leaves the rest unchanged. */
function splitText(text: string, options: Readonly<Record<string, boolean>>): { readonly taken: string[]; readonly rest: string } {
  const taken: string[] = [];
  let [rest, from] = ['', 0];
  const words = [...text.matchAll(WORD)];
  for (let at = 0; at < words.length; at++) {
    const { 0: word, index } = words[at] as RegExpExecArray;
    if (!Object.hasOwn(options, word)) continue;
    const value = options[word] ? words[++at] : undefined;
    taken.push(word, ...(value ? [unquoted(value[0])] : []));
    rest += text.slice(from, index);
    from = value ? value.index + value[0].length : index + word.length;
  }
  return { taken, rest: (rest + text.slice(from)).trim() };
}

/** The command line behind `/memory:WORD TEXT`; the text comes from the client's hook, never through a shell. */
export function slashArguments(word: string, text: string, session?: string): readonly string[] {
  // `/memory:status --retire ID` runs `retire ID`, and so on.
  const [, flag = '', after = ''] = (word === 'status' && /^\s*--(retire|restore|archive|unarchive|gc|list-archived)(?=\s|$)([\s\S]*)$/.exec(text)) || [];
  if (flag === 'list-archived') return ['archive', '--list'];
  if (flag !== '') return slashArguments(flag, after, session);
  const { runs = word, lead, options = {}, into } = SLASH[word] ?? {};
  if (lead === undefined) {
    const words = (text.match(WORD) ?? []).map(unquoted);
    return [runs, ...words, ...(runs === 'summarize' && session !== undefined && words.every((each) => each.startsWith('-')) ? [session] : [])];
  }
  const { taken, rest } = splitText(text, options);
  const before = new RegExp(`^(?:\\S+\\s*){0,${lead}}`).exec(rest)?.[0] ?? '';
  const body = unquoted(rest.slice(before.length));
  const words = before.split(/\s+/).filter((each) => each !== '');
  if (into !== undefined) return [runs, ...taken, ...(body === '' ? [] : [into, body]), ...(words.length > 0 ? ['--', ...words] : [])];
  return [runs, ...taken, ...(rest === '' ? [] : ['--', ...words, ...(body === '' ? [] : [body])])];
}
