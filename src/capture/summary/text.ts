/** More characters than any item has. */
const LONGEST = 6_000;

/** Removes Markdown marks and keeps the words. */
export const withoutMarks = (text: string): string =>
  text
    .slice(0, LONGEST)
    .replace(/\s+/g, ' ')
    .replace(/!?\[([^[\]]{0,400})\]\([^()]{0,400}\)/g, '$1')
    // Between letters or digits these are code, not marks: `1024**3`, `__init__`.
    .replace(/(?<!\w)(?:\*\*|~~|__(?!\w+__))(?=\S)|(?<=\S)(?:\*\*|~~|(?<!__\w+)__)(?!\w)/g, '')
    .replace(/(?<![\w*])[*_](?=\S)([^*_\n]+?)(?<=\S)[*_](?![\w*])/g, '$1')
    .replace(/^[\s>#]+|\s+$/g, '')
    .replace(/[\u2705\u274c\u{1f300}-\u{1faff}]\s*/gu, '')
    .trim();

/** The text, or as many of its words as fit. */
export function shortened(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const cut = text.slice(0, limit - 1);
  const end = cut.lastIndexOf(' ');
  return `${cut.slice(0, end > limit * 0.6 ? end : cut.length).replace(/[\s,;:(–—…-]+$/, '')}…`;
}

/** The first sentence of a text, or the first two if the first is shorter than `least`. */
export function firstSentence(text: string, least = 30): string {
  const ends = [...text.matchAll(/(?<!\b(?:e\.g|i\.e|vs|cf))[.!?](?=\s+["'“(`*[]*[\p{Lu}\d`]|\s*$)/gu)].map((match) => match.index + 1);
  const end = ends.find((at) => at >= least) ?? ends.at(-1) ?? text.length;
  return text.slice(0, end).trim();
}

/** Shortens a text at the end of a sentence, else of a clause, else of a word. */
export function wholeWithin(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = text.slice(0, limit);
  const ends = [/[.!?](?=\s)(?<!\b(?:e\.g|i\.e|vs|cf)\.)/g, /(?:;|:| [—–-]|,)(?=\s)/g].map((end) => [...head.matchAll(end)].at(-1)?.index ?? -1);
  const [sentence = -1, clause = -1] = ends;
  if (sentence >= limit * 0.3) return head.slice(0, sentence + 1);
  const part = head.slice(0, Math.max(clause, 0)).trim();
  // A part with an open bracket is no clause.
  const isWhole = (part.match(/\(/g) ?? []).length === (part.match(/\)/g) ?? []).length && (part.match(/`/g) ?? []).length % 2 === 0;
  return clause >= limit * 0.5 && isWhole ? part : shortened(text, limit);
}

/** The same for an item of a list. */
export const wholeItem = (text: string, limit = 240): string =>
  startUpper(wholeWithin(withoutMarks(text).replace(/[.:;,\s]+$/, ''), limit).replace(/[.:;,\s]+$/, ''));

/** A text that starts with a name of code or a file keeps its lower case: `project_test.go`, `readRows`. */
const CODE_FIRST = /^[a-z][a-z0-9-]*(?:[._/(][a-zA-Z]|[A-Z]|:\/\/)/;

export const startUpper = (text: string): string => (CODE_FIRST.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1));

/** A line as an item of a list: without marks and final punctuation, shortened. */
export const listItem = (text: string, limit = 160): string => startUpper(shortened(withoutMarks(text).replace(/[.:;,\s]+$/, ''), limit));

/** Lines in their order, without repetitions that differ only in case and punctuation. */
export function distinct(items: readonly string[]): string[] {
  const keys = new Set<string>();
  return items.filter((item) => {
    const key = item
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
    if (key === '' || keys.has(key)) return false;
    keys.add(key);
    return true;
  });
}

const ALIKE = 0.6;

const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? []);

/** Whether two lines share most of their words. */
export function isAlike(a: string, b: string): boolean {
  const [left, right] = [wordsOf(a), wordsOf(b)];
  const both = [...left].filter((word) => right.has(word)).length;
  return both >= ALIKE * Math.min(left.size, right.size) && both > 0;
}

const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** The readable part of a text, without a terminal's control characters. */
export const readable = (text: string): string => text.replace(CONTROL, '');

const SCRATCH =
  /(?:^|\/)\.(?:claude|codex|gemini)\/(?:plans|projects|todos)\/|^\/tmp\/|^\/private\/tmp\/|^\/var\/folders\/|^[a-z]:\/users\/[^/]+\/appdata\/local\/temp\//i;

/** Whether a file is an agent's own note or temporary file, which is no part of the work. */
export const isScratch = (path: string): boolean => SCRATCH.test(path.replaceAll('\\', '/'));

const isAbsolute = (path: string): boolean => path.startsWith('/') || /^[A-Za-z]:\//.test(path);

/** The common folder of the paths, with its final slash. */
function commonFolder(paths: readonly string[]): string {
  const [first = '', ...rest] = paths.map((path) => path.split('/').slice(0, -1));
  const parts = Array.isArray(first) ? first : [];
  const shared = rest.reduce((common, other) => common.slice(0, common.findIndex((part, at) => part !== other[at]) >>> 0), parts);
  return shared.length === 0 ? '' : `${shared.join('/')}/`;
}

/** Paths relative to the project's folder or to their common folder. */
export function shortPaths(paths: readonly string[], project: string | undefined): ReadonlyMap<string, string> {
  const plain = paths.map((path) => path.replaceAll('\\', '/'));
  const root = project?.replaceAll('\\', '/').replace(/\/?$/, '/');
  const inside = root !== undefined && isAbsolute(root) ? plain.filter((path) => path.startsWith(root)) : [];
  const absolute = plain.filter(isAbsolute);
  const base = inside.length > 0 && root !== undefined ? root : absolute.length > 1 ? commonFolder(absolute) : '';
  return new Map(paths.map((path, at) => [path, shortPath(plain[at] as string, base)]));
}

function shortPath(path: string, base: string): string {
  if (base !== '' && path.startsWith(base)) return path.slice(base.length);
  const parts = path.split('/');
  return path.startsWith('/') && parts.length > 4 ? parts.slice(-3).join('/') : path;
}

/** Words that are no topic. */
const EMPTY = new Set(
  [
    'about above after again also always because been before being below between both could does done each even every file files from',
    'have here into just like line lines make more most need never only other over same should some such than that their them then',
    'there these they this those through under until update updated using very want were what when where which while will with would',
    'your',
  ].flatMap((line) => line.split(' ')),
);
const MAX_TAGS = 6;

/** Tags from the names of files and the rarer words of a text. */
export function tagsFor(text: string, files: readonly string[]): string[] {
  const stems = files.slice(0, 3).map((file) => (file.split('/').at(-1) ?? '').replace(/\.[\w.]+$/, '').toLowerCase());
  const words = (text.toLowerCase().match(/[\p{L}][\p{L}\p{N}-]{3,24}/gu) ?? []).filter((word) => !EMPTY.has(word));
  const tags = [...new Set([...words.slice(0, 4), ...stems])].filter((tag) => tag.length > 2 && tag.length <= 40);
  return tags.length === 0 ? ['session'] : tags.slice(0, MAX_TAGS);
}

/** A text that begins or ends in the middle of a sentence. */
const CUT =
  /[:,(]$|^[a-z`]*[)\]]|^\(|\b(?:the|a|an|of|to|and|or|is|are|was|were|with|from|for|in|on|by|through|than|that|which|because|when|where|if|but|so|provided|its)[.\s]*$/i;

/** Whether all brackets of a text are closed. */
export const hasWholeBrackets = (text: string): boolean => (text.match(/\(/g) ?? []).length === (text.match(/\)/g) ?? []).length;

/** Whether a text is only part of a sentence. */
export const isCutOff = (text: string): boolean => CUT.test(text) || !hasWholeBrackets(text);
