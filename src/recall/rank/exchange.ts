import { chunkPlace, chunkSize } from '../chunk-id.ts';
import type { RankCandidate } from './candidates.ts';

/** What a candidate is in the talk it stands in. */
export interface Exchange {
  /** What the question that another put just before it has of the words looked for, as a share of the best that any has. */
  readonly asked: number;
  /** 1 where someone whom the question names speaks of themselves. */
  readonly self: number;
}

const SELF = /\b(?:I|my|me|mine|we|our)\b/i;

/** Asked what one asks, people answer in words of their own: what stands after such a question is told apart by that alone. */
export function exchanges(candidates: readonly RankCandidate[], named: ReadonlySet<string>): readonly Exchange[] {
  const best = candidates.reduce((most, { own }) => Math.max(most, own), 1e-9);
  const questions = new Map<string, RankCandidate>();
  for (const one of candidates) if (one.chunk.speaker !== undefined && one.chunk.text.includes('?')) questions.set(keyOf(one, chunkSize(one.chunk.id)), one);
  return candidates.map((one) => {
    const { speaker, text } = one.chunk;
    const before = speaker === undefined ? undefined : questions.get(keyOf(one, 0));
    return {
      asked: before === undefined || before.chunk.speaker === speaker ? 0 : before.own / best,
      self: speaker !== undefined && named.has(speaker) && SELF.test(text) ? 1 : 0,
    };
  });
}

const keyOf = ({ shelf, row, chunk }: RankCandidate, further: number): string => `${shelf.nth} ${row.unit} ${chunkPlace(chunk.id) + further}`;
