/** Share of a line's words that a text must contain for the line to be a repetition. */
const KNOWN_SHARE = 0.75;
const LEAST_WORDS = 4;
/** Letters by which two forms of one word are compared. */
const STEM = 5;

const wordsOf = (text: string): readonly string[] =>
  (text.match(/[\p{L}\p{N}][\p{L}\p{N}_.'’-]*[\p{L}\p{N}]|[\p{L}\p{N}]/gu) ?? []).map((word) => word.replace(/['’]s$/, ''));

const stemOf = (word: string): string => word.toLowerCase().slice(0, /\p{N}/u.test(word) ? undefined : STEM);

/** Words that negate or withdraw a statement. */
const TURNS =
  /^(?:not|no|never|longer|instead|but|rather|anymore|replace[sd]?|drop(?:ped|s)?|revert(?:ed|s)?|switch(?:ed|es)?|nicht|kein\p{L}*|statt|doch)$|n['’]t$/iu;

/** A number, file, identifier or name; a different one makes a different statement. */
const isName = (word: string, at: number): boolean => /\p{N}|[_.]|\p{Ll}\p{Lu}/u.test(word) || (at > 0 && /^\p{Lu}/u.test(word));

/** Whether a line only repeats a text: the text has most of its words and all its names, numbers and negations. */
export function repeats(line: string, text: string): boolean {
  const known = new Set(wordsOf(text).map(stemOf));
  const words = wordsOf(line);
  const telling = words.filter((word) => word.length > 3);
  if (telling.length < LEAST_WORDS) return false;
  const isNew = (word: string): boolean => !known.has(stemOf(word));
  if (words.some((word, at) => (isName(word, at) || TURNS.test(word)) && isNew(word))) return false;
  return telling.filter((word) => !isNew(word)).length >= telling.length * KNOWN_SHARE;
}
