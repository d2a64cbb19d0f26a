import { analyze } from '../analyze.ts';
import type { RankCandidate } from './candidates.ts';
import type { Proximity, ProximityScorer } from './proximity.ts';

/** How near the question's words stand in each candidate: from the index where it keeps the order of terms, from the text elsewhere. */
export async function proximities(candidates: readonly RankCandidate[], scorer: ProximityScorer, terms: readonly string[]): Promise<readonly Proximity[]> {
  const orders = new Map<RankCandidate, ArrayLike<number>>();
  for (const [index, these] of byIndex(candidates)) {
    const ids = these.map(({ chunk }) => chunk.id);
    const found = await index.orders?.(ids, terms);
    for (const [nth, one] of these.entries()) orders.set(one, found?.[nth] ?? scorer.placesOf(one.chunk.terms ?? analyze(one.chunk.text)));
  }
  return candidates.map((candidate) => scorer.score(orders.get(candidate) as ArrayLike<number>));
}

function byIndex(candidates: readonly RankCandidate[]): Map<RankCandidate['shelf']['index'], RankCandidate[]> {
  const groups = new Map<RankCandidate['shelf']['index'], RankCandidate[]>();
  for (const candidate of candidates) {
    const group = groups.get(candidate.shelf.index);
    if (group === undefined) groups.set(candidate.shelf.index, [candidate]);
    else group.push(candidate);
  }
  return groups;
}
