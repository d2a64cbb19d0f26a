import type { Message, ToolCall } from '../../core/episode/episode.ts';
import { tidyPath } from '../../core/project/folder.ts';
import { LruSet } from '../transcripts/lru-set.ts';

/** Any number of characters in a name (`*`), or of names in a path (`**`). */
const ANY = null;
type Token = ((letter: string) => boolean) | typeof ANY;
type Segment = readonly Token[] | typeof ANY;

/**
 * A matcher for a glob with `*`, `**`, `?`, `[a-z]`, `{a,b}`. A glob without a slash matches a name in any folder, and a folder's glob matches its content.
 * Not a regular expression, which takes exponential time on a hostile glob; this takes quadratic time.
 */
export function globMatcher(glob: string): (path: string) => boolean {
  const patterns = alternatives(glob.toLowerCase().replaceAll('\\', '/').replace(/^\.\//, '')).map(segmentsOf);
  return (path) => {
    const names = path
      .toLowerCase()
      .split('/')
      .filter((name) => name !== '');
    return patterns.some((pattern) => fits(pattern, names, (segment, name) => fits(segment, name, (token, letter: string) => token(letter))));
  };
}

/** Whether items fit a pattern in which a star matches any number of them. Backtracks only to the last star, which bounds the time. */
function fits<Part, Item>(pattern: readonly (Part | typeof ANY)[], items: ArrayLike<Item>, fitsOne: (part: Part, item: Item) => boolean): boolean {
  let [at, item, lastStar, resume] = [0, 0, -1, 0];
  while (item < items.length) {
    const part = pattern[at];
    if (part === ANY) [lastStar, resume, at] = [at, item, at + 1];
    else if (part !== undefined && fitsOne(part, items[item] as Item)) [at, item] = [at + 1, item + 1];
    else if (lastStar < 0) return false;
    else [at, resume, item] = [lastStar + 1, resume + 1, resume + 1];
  }
  while (pattern[at] === ANY) at++;
  return at === pattern.length;
}

const ANY_NAME: readonly Token[] = [ANY];

function segmentsOf(glob: string): readonly Segment[] {
  const names = glob.replace(/\/$/, '/**').split('/');
  const isAnywhere = names.length === 1;
  const segments = names.filter((name) => name !== '').map((name): Segment => (name === '**' ? ANY : tokensOf(name)));
  // `folder/**` matches the content of the folder, not the folder itself.
  const inside: readonly Segment[] = segments.at(-1) === ANY ? [...segments, ANY_NAME] : segments;
  return [...(isAnywhere ? [ANY] : []), ...inside, ANY];
}

function tokensOf(name: string): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < name.length; at++) {
    const letter = name[at] as string;
    const end = letter === '[' ? name.indexOf(']', at + 2) : -1;
    if (letter === '*') {
      if (tokens.at(-1) !== ANY) tokens.push(ANY);
    } else if (letter === '?') tokens.push(() => true);
    else if (end > 0) {
      tokens.push(oneOf(name.slice(at + 1, end)));
      at = end;
    } else tokens.push((other) => other === letter);
  }
  return tokens;
}

/** A set of letters such as `a-z_`, negated by `!` or `^` at its start. */
function oneOf(members: string): Token {
  const isNegated = /^[!^]/.test(members);
  const letters = isNegated ? members.slice(1) : members;
  const ranges = [...letters.matchAll(/(.)-(.)|(.)/gs)].map(([, from, to, one]) => [from ?? one ?? '', to ?? one ?? ''] as const);
  return (letter) => ranges.some(([from, to]) => from <= letter && letter <= to) !== isNegated;
}

const MOST = 300;

/** All expansions of `{a,b}`, the innermost braces first. Unpaired braces are literal. */
function alternatives(glob: string): readonly string[] {
  let globs = [glob];
  for (;;) {
    const next = globs.flatMap((one) => {
      const braces = /\{([^{}]*)\}/.exec(one);
      const chosen = braces?.[1]?.split(',').map((word) => one.slice(0, braces.index) + word + one.slice(braces.index + braces[0].length));
      return chosen ?? [one];
    });
    if (next.length > MOST || next.every((one, index) => one === globs[index])) return globs;
    globs = next;
  }
}

const REMEMBERED = 4_096;
/** A longer text is no path on any system. */
const LONGEST_PATH = 4_096;
const EXCLUDED_NOTE = '[left out by capture.exclude]';
/** Words of a command line, without the characters that may surround a path. */
const WORDS = /[^\s"'`;&|<>()=,]+/g;

/** Removes the content of excluded files: the inputs and answers of calls that touch them. */
export class Exclusion {
  readonly #patterns: readonly ((path: string) => boolean)[];
  readonly #folder: string;
  readonly #calls = new LruSet(REMEMBERED);

  /** `folder` is the project's: globs are relative to it. */
  constructor(globs: readonly string[], folder = '') {
    this.#patterns = globs.filter((glob) => glob.trim() !== '').map((glob) => globMatcher(glob.trim()));
    this.#folder = tidyPath(folder);
  }

  /** Whether a path, absolute or in the project, is excluded. */
  covers(path: string): boolean {
    if (path.length > LONGEST_PATH) return false;
    const plain = tidyPath(path).replace(/^\.\//, '');
    const inside = this.#folder !== '' && plain.startsWith(`${this.#folder}/`) ? plain.slice(this.#folder.length + 1) : plain;
    return this.#patterns.some((pattern) => pattern(inside));
  }

  of(message: Message): Message {
    if (this.#patterns.length === 0) return message;
    const toolCalls = message.toolCalls?.map((call) => this.#call(call, message.sessionId));
    const text = message.role === 'tool' ? this.#answer(message) : message.text;
    return { ...message, text, ...(toolCalls && { toolCalls }) };
  }

  #call(call: ToolCall, sessionId: string): ToolCall {
    if (!call.files.some((file) => this.covers(file)) && !this.#names(call)) return call;
    this.#calls.add(`${sessionId} ${call.id}`);
    return { id: call.id, name: call.name, input: EXCLUDED_NOTE, files: call.files };
  }

  /** Whether a command names an excluded file or folder. A command that reads a folder need not name the files that it prints. */
  #names({ command, input }: ToolCall): boolean {
    for (const [word] of (command ?? input).matchAll(WORDS)) if (this.covers(word) || (command && this.covers(`${word}/.`))) return true;
    return false;
  }

  #answer(message: Message): string {
    if (message.answers !== undefined && this.#calls.has(`${message.sessionId} ${message.answers}`)) return EXCLUDED_NOTE;
    // A search prints the file's name before each line.
    const lines = message.text.split('\n');
    const allowed = lines.filter((line) => !this.covers(/^\s*([^\s:"']+)(?::|$|-\d)/.exec(line)?.[1] ?? ''));
    return allowed.length === lines.length ? message.text : [...allowed, EXCLUDED_NOTE].join('\n');
  }
}
