/**
 * Tokens by kind of character. On 243 answers of real sessions whose client logged what they cost, the median for each model of 2026 lies between 0.99 and 1.08
 * of that (about 2.6 characters a token in prose; see docs/decisions/recall.md); older models charge less, so that a budget holds on all of them. In parts
 * of a token: a start weighs ten thousand characters before anything is compiled, and there every step of a sum that is not a whole number is an object
 * of its own.
 */
const WEIGHT = { word: 20, letter: 4, digit: 24, mark: 21, newline: 24, foreign: 24, wide: 32 } as const;
const PARTS = 22;

const WIDE_FROM = 0x2000;

/** Asked of a text of any kind in memory, `text.charCodeAt` is looked up anew for every character. */
const codeAt = String.prototype.charCodeAt;

/** In twentieths of a token, of a text or of what follows a blank in it. Adds up over lines: the weight of a text is the weight of its lines and their ends. */
function weightOf(text: string, from = 0): number {
  let weight = 0;
  let inWord = false;
  for (let at = from; at < text.length; at++) {
    const code = codeAt.call(text, at);
    const isLetter = (code > 96 && code < 123) || (code > 64 && code < 91);
    if (isLetter) weight += inWord ? WEIGHT.letter : WEIGHT.word + WEIGHT.letter;
    else if (code === 10) weight += WEIGHT.newline;
    else if (code > 47 && code < 58) weight += WEIGHT.digit;
    else if (code >= WIDE_FROM) weight += WEIGHT.wide;
    else if (code > 126) weight += WEIGHT.foreign;
    else if (code > 32) weight += WEIGHT.mark;
    inWord = isLetter;
  }
  return weight;
}

export const lineWeight = (line: string): number => weightOf(line) + WEIGHT.newline;

/** How much more one form of a line weighs than another. Mostly it is the same up to the last word before a cut, which need not be weighed again. */
export function moreWeight(from: string, to: string): number {
  const last = from.lastIndexOf(' ') + 1;
  const same = to.startsWith(from.slice(0, last)) ? last : 0;
  return weightOf(to, same) - weightOf(from, same);
}

export const weightOfTokens = (tokens: number): number => tokens * PARTS;

/** Lines of a text have an end between them, and none after the last. */
export const tokensOfLines = (weight: number): number => Math.ceil((weight - WEIGHT.newline) / PARTS);

export const tokenCost = (text: string): number => weightOf(text) / PARTS;

export const estimateBlockTokens = (text: string): number => Math.ceil(tokenCost(text));
