import { createTwoFilesPatch } from 'diff';

/** A unified diff as git prints it; empty when the texts are the same. */
export function unifiedDiff(before: string, after: string, from: string, to: string): string {
  return before === after ? '' : createTwoFilesPatch(from, to, before, after, undefined, undefined, { context: 3 });
}
