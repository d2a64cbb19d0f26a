import { jsonOf, objectOf } from './value.ts';

/** A request that is this much smaller than the one before it follows a compression. */
const DROP = 0.6;

/** Whether the last turn of a Gemini chat shows a compression, which no event tells of: the tokens sent fell from one reply to the next. */
export function isCompressedInLastTurn(lines: readonly string[]): boolean {
  const rows = lines.flatMap((line) => (/"type":\s*"(?:user|gemini)"/.test(line) ? [objectOf(jsonOf(line))] : []));
  const turn = rows.findLastIndex((row) => row?.['type'] === 'user');
  const sent = rows.flatMap((row, at) => {
    const input = row?.['type'] === 'gemini' ? objectOf(row['tokens'])?.['input'] : undefined;
    return typeof input === 'number' && input > 0 ? [{ at, input }] : [];
  });
  return sent.some(({ at, input }, nth) => at > turn && input < (sent[nth - 1]?.input ?? 0) * DROP);
}
