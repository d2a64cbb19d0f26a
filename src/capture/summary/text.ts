/** Far more than any item shows. */
const LONGEST = 6_000;

/** Markdown's marks gone, its words kept. */
export const withoutMarks = (text: string): string =>
  text
    .slice(0, LONGEST)
    .replace(/\s+/g, ' ')
    .replace(/!?\[([^[\]]{0,400})\]\([^()]{0,400}\)/g, '$1')
    .replace(/(\*\*|__|~~)(?=\S)|(?<=\S)(\*\*|__|~~)/g, '')
    .replace(/(?<![\w*])[*_](?=\S)([^*_\n]+?)(?<=\S)[*_](?![\w*])/g, '$1')
    .replace(/^[\s>#]+|\s+$/g, '')
    .replace(/[\u2705\u274c\u{1f300}-\u{1faff}]\s*/gu, '')
    .trim();

/** The text, or as many of its words as fit. */
export function shortened(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const cut = text.slice(0, limit - 1);
  const end = cut.lastIndexOf(' ');
  return `${cut.slice(0, end > limit * 0.6 ? end : cut.length).replace(/[\s,;:(–—-]+$/, '')}…`;
}

/** The first sentence of a text, or the first two when the first says little. */
export function firstSentence(text: string, least = 30): string {
  const ends = [...text.matchAll(/[.!?](?=\s+["'“(`*[]*[\p{Lu}\d`]|\s*$)/gu)].map((match) => match.index + 1);
  const end = ends.find((at) => at >= least) ?? ends.at(-1) ?? text.length;
  return text.slice(0, end).trim();
}

export const startUpper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A line as an item of a list: no marks, no closing stop, not too long. */
export const listItem = (text: string, limit = 160): string => startUpper(shortened(withoutMarks(text).replace(/[.:;,\s]+$/, ''), limit));

/** Lines in their order, without those that say the same again. */
export function distinct(items: readonly string[]): string[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    const key = item
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
    if (key === '' || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

const ALIKE = 0.6;

const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? []);

/** Two lines that share most of their words say the same. */
export function isAlike(a: string, b: string): boolean {
  const [left, right] = [wordsOf(a), wordsOf(b)];
  const both = [...left].filter((word) => right.has(word)).length;
  return both >= ALIKE * Math.min(left.size, right.size) && both > 0;
}

const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** What can be read of a text: a terminal's control characters say nothing, and a record keeps none in its title. */
export const readable = (text: string): string => text.replace(CONTROL, '');
