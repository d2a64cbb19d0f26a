/** A pattern with what it stands for and what it is worth. */
export type Sign = readonly [why: string, weight: number, pattern: RegExp];

/** A pattern as it is typed. */
export const { raw } = String;

/** Any of these, as a part of a pattern. */
export const one = (...wordings: readonly string[]): string => `(?:${wordings.join('|')})`;

/** A sign with many wordings, any of which will do; upper and lower case are alike. */
export const sign = (why: string, weight: number, ...wordings: readonly string[]): Sign => [why, weight, new RegExp(wordings.join('|'), 'i')];

/** A sign of any of these phrases, as whole words. */
export const phrases = (why: string, weight: number, ...wordings: readonly string[]): Sign => sign(why, weight, raw`\b${one(...wordings)}\b`);

/** The same for a pattern that stands alone. */
export const saying = (...wordings: readonly string[]): RegExp => phrases('', 0, ...wordings)[2];
