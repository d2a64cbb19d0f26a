import { createTwoFilesPatch } from 'diff';

export interface ChangedText {
  readonly before: string;
  readonly after: string;
  readonly names: readonly [before: string, after: string];
}

/** Lines added and removed: the time of a comparison grows with their square, and a proposal may hold anything. */
const MOST_CHANGES = 1_500;

/** How a text changed, as a patch; both texts whole where nearly all of a long one changed. */
export function patchOf({ before, after, names }: ChangedText): string {
  if (before === after) return '';
  const patch = createTwoFilesPatch(names[0], names[1], before, after, undefined, undefined, { maxEditLength: MOST_CHANGES });
  return patch?.replace(/^=+\n/, '') ?? `--- ${names[0]}\n${before.replaceAll(/^/gm, '-')}\n+++ ${names[1]}\n${after.replaceAll(/^/gm, '+')}`;
}
