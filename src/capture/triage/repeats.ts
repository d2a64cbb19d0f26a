/** Share of a line's words that a record must hold for the line to say nothing new. */
const KNOWN_SHARE = 0.75;
const LEAST_WORDS = 4;
/** Letters by which two forms of one word are compared. */
const STEM = 5;

const wordsOf = (text: string): readonly string[] =>
  (text.match(/[\p{L}\p{N}][\p{L}\p{N}_.'’-]*[\p{L}\p{N}]|[\p{L}\p{N}]/gu) ?? []).map((word) => word.replace(/['’]s$/, ''));

const stemOf = (word: string): string => word.toLowerCase().slice(0, /\p{N}/u.test(word) ? undefined : STEM);

/** Words that turn a statement round or take it back. */
const TURNS =
  /^(?:not|no|never|longer|instead|but|rather|anymore|replace[sd]?|drop(?:ped|s)?|revert(?:ed|s)?|switch(?:ed|es)?|nicht|kein\p{L}*|statt|doch)$|n['’]t$/iu;

/** A number, a file, an identifier or a name: one that differs makes it another statement. */
const isName = (word: string, at: number): boolean => /\p{N}|[_.]|\p{Ll}\p{Lu}/u.test(word) || (at > 0 && /^\p{Lu}/u.test(word));

/** Whether a line only says again what a text says: most of its words, each of its names and numbers, and nothing that turns it round. */
export function repeats(line: string, text: string): boolean {
  const known = new Set(wordsOf(text).map(stemOf));
  const words = wordsOf(line);
  const telling = words.filter((word) => word.length > 3);
  if (telling.length < LEAST_WORDS) return false;
  const isNew = (word: string): boolean => !known.has(stemOf(word));
  if (words.some((word, at) => (isName(word, at) || TURNS.test(word)) && isNew(word))) return false;
  return telling.filter((word) => !isNew(word)).length >= telling.length * KNOWN_SHARE;
}
