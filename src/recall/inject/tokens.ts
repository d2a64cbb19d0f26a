/**
 * Tokens by kind of character, fitted to what Claude's newest tokeniser charges: on 550 texts of records, talk, code and Markdown the estimate lies
 * between 1.00 and 1.18 of it for nine in ten (2.4 characters a token for records, 0.7 to 1 for Chinese). Older models charge a third less, so that a
 * budget holds on all of them.
 */
const COST = { word: 1, letter: 0.2, digit: 1.2, mark: 1.05, newline: 1.2, foreign: 1.2, wide: 1.6 } as const;

const WIDE_FROM = 0x2000;

/** Adds up over lines: the cost of a text is the cost of its lines and their ends. */
export function tokenCost(text: string): number {
  let cost = 0;
  let inWord = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const isLetter = (code > 96 && code < 123) || (code > 64 && code < 91);
    if (isLetter) cost += inWord ? COST.letter : COST.word + COST.letter;
    else if (code === 10) cost += COST.newline;
    else if (code > 47 && code < 58) cost += COST.digit;
    else if (code >= WIDE_FROM) cost += COST.wide;
    else if (code > 126) cost += COST.foreign;
    else if (code > 32) cost += COST.mark;
    inWord = isLetter;
  }
  return cost;
}

export const estimateTokens = (text: string): number => Math.ceil(tokenCost(text));
