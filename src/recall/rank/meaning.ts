import type { ChunkRow, RecallIndex, UnitRow } from '../port.ts';
import { type ScoredCandidate, type ScorePart, registerOf, sumOf } from './score.ts';
import type { IndexPart } from './seeds.ts';
import { MEANING } from './weights.ts';

/** A text near a question in meaning, with or without a shared word. */
export interface NearText {
  readonly index: RecallIndex;
  readonly row: UnitRow;
  readonly chunk: ChunkRow;
  /** Cosine, from -1 to 1. */
  readonly near: number;
}

const NO_UNIT = { unit: 0, bestThree: 0 };

/**
 * Adds points to each hit by where its nearest text lies between the furthest and the nearest text found, and adds hits for near texts that share no word
 * with the question. Sessions of work, records and documents count by their nearest chunk; talk counts by message, because several messages may answer.
 */
export function withMeaning(scored: readonly ScoredCandidate[], texts: readonly NearText[], indexParts: readonly IndexPart[]): ScoredCandidate[] {
  if (texts.length === 0) return [...scored];
  const parts = new Map(indexParts.map((part) => [part.index, part]));
  const nearest = new Map<string, { readonly near: number; readonly hit: ScoredCandidate }>();
  let [least, most] = [Infinity, -Infinity];
  for (const { index, row, chunk, near: cosine } of texts) {
    const part = parts.get(index);
    if (part === undefined) continue;
    const hit = hitByMeaning(part, row, chunk);
    // With many chunks, the nearest one is nearer by chance.
    const near = hit.register === 'work' ? cosine - MEANING.size * Math.log(1 + row.size) : cosine;
    [least, most] = [Math.min(least, near), Math.max(most, near)];
    const key = keyOf(hit);
    if ((nearest.get(key)?.near ?? -Infinity) < near) nearest.set(key, { near, hit });
  }
  const shareOf = (near: number): number => (most === least ? 1 : (near - least) / (most - least));
  const earned = (hit: ScoredCandidate, near: number): ScoredCandidate => {
    const value = shareOf(near);
    const added: readonly ScorePart[] = [...hit.parts, { signal: 'meaning', value, points: MEANING.points[hit.register] * value }];
    return { ...hit, parts: added, score: sumOf(added) };
  };
  const matched = new Set(scored.map(keyOf));
  const others = [...nearest].filter(([key, { near }]) => !matched.has(key) && shareOf(near) >= MEANING.withoutSharedWord);
  return [
    ...scored.map((hit) => {
      const near = nearest.get(keyOf(hit))?.near;
      return near === undefined ? hit : earned(hit, near);
    }),
    ...others.map(([, { near, hit }]) => earned(hit, near)),
  ];
}

const keyOf = ({ candidate: { part, row, chunk }, register }: ScoredCandidate): string =>
  register === 'talk' ? `${part.nth} ${row.unit} ${chunk.messageId ?? ''}` : `${part.nth} ${row.unit}`;

/** A hit without a shared word has no other scores. */
function hitByMeaning(part: IndexPart, row: UnitRow, chunk: ChunkRow): ScoredCandidate {
  const none = { own: 0, near: 0, coveredNear: 0, rank: 0 };
  const candidate = { part, row, chunk, unit: NO_UNIT, ...none };
  return { candidate, register: registerOf(candidate), parts: [], score: 0 };
}
