import { type ScorePart, sumOf } from './score.ts';
import type { SupersessionHit } from './supersede.ts';
import { REPEAT } from './weights.ts';

/** More than this many are not looked at for the list. */
const POOL = 80;

/**
 * The list that is shown: best first, a unit's further hits giving way, and half of the list from different units, so that it serves those who look
 * for a message and those who look for a session.
 */
export function arrange(hits: readonly SupersessionHit[], limit: number): SupersessionHit[] {
  const pool = hits.toSorted((a, b) => b.score - a.score).slice(0, Math.max(POOL, 2 * limit));
  const shown = new Map<string, number>();
  const list: SupersessionHit[] = [];
  const wanted = Math.ceil(limit / 2);
  while (list.length < limit && pool.length > 0) {
    const onlyFresh = wanted - shown.size >= limit - list.length && pool.some((hit) => !shown.has(unitKey(hit)));
    let best = -1;
    let bestScore = -Infinity;
    for (let at = 0; at < pool.length; at++) {
      const hit = pool[at] as SupersessionHit;
      const times = shown.get(unitKey(hit)) ?? 0;
      const score = hit.score - REPEAT[hit.register] * times;
      if (score > bestScore && !(onlyFresh && times > 0)) [best, bestScore] = [at, score];
    }
    const [hit] = pool.splice(best, 1) as [SupersessionHit];
    const times = shown.get(unitKey(hit)) ?? 0;
    shown.set(unitKey(hit), times + 1);
    list.push(times === 0 ? hit : repeated(hit, times));
  }
  return list;
}

function repeated(hit: SupersessionHit, times: number): SupersessionHit {
  const parts: readonly ScorePart[] = [...hit.parts, { signal: 'repeat', value: times, points: -REPEAT[hit.register] * times }];
  return { ...hit, parts, score: sumOf(parts) };
}

const unitKey = ({ candidate }: SupersessionHit): string => `${candidate.shelf.nth} ${candidate.row.unit}`;
