import { createTwoFilesPatch } from 'diff';

export interface ChangedText {
  readonly before: string;
  readonly after: string;
  readonly names: readonly [before: string, after: string];
}

/** Limit of changed lines: the time of a comparison grows with their square, and a proposal may be of any size. */
const MOST_CHANGES = 1_500;

/** The change of a text as a patch; of a long text that changed almost completely, both whole texts. */
export function patchOf({ before, after, names }: ChangedText): string {
  if (before === after) return '';
  const patch = createTwoFilesPatch(names[0], names[1], before, after, undefined, undefined, { maxEditLength: MOST_CHANGES });
  return patch?.replace(/^=+\n/, '') ?? `--- ${names[0]}\n${before.replaceAll(/^/gm, '-')}\n+++ ${names[1]}\n${after.replaceAll(/^/gm, '+')}`;
}
