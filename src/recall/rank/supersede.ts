import type { UnitRow } from '../port.ts';
import { type ScorePart, type ScoredCandidate, sumOf } from './score.ts';
import { REPEAT } from './weights.ts';

/** A hit with the record that it replaces or was replaced by. */
export interface SupersessionHit extends ScoredCandidate {
  readonly replacedBy?: string;
  readonly replaces?: string;
}

/** The score by which a current record is put above the one it replaced. */
const GAP = 0.001;

/** Puts every record above those it replaced: lifts one that matched less, and adds one that did not match by `makeHit`. `hits` has one hit for each record. */
export function putCurrentFirst(
  hits: readonly ScoredCandidate[],
  current: ReadonlyMap<string, UnitRow>,
  makeHit: (old: ScoredCandidate, row: UnitRow) => ScoredCandidate,
): SupersessionHit[] {
  if (hits.every(({ candidate }) => candidate.row.supersededBy === undefined)) return [...hits];
  const byKey = new Map<string, SupersessionHit>(hits.map((hit) => [keyOf(hit), hit]));
  const named = new Map(hits.filter(({ candidate }) => candidate.row.type === 'record').map((hit) => [hit.candidate.row.id, keyOf(hit)]));
  for (const old of hits.toSorted((a, b) => b.score - a.score)) {
    const latest = latestOf(old.candidate.row, current, named, byKey);
    if (latest === undefined) continue;
    const key = named.get(latest) ?? `new ${latest}`;
    const row = current.get(latest);
    const present = byKey.get(key) ?? (row && makeHit(old, row));
    if (present === undefined) continue;
    const gap = old.score + GAP - present.score;
    const parts: readonly ScorePart[] = gap > 0 ? [...present.parts, { signal: 'replaces', value: 1, points: gap }] : present.parts;
    byKey.set(key, { ...present, parts, score: sumOf(parts), replaces: old.candidate.row.id });
    named.set(latest, key);
    byKey.set(keyOf(old), { ...(byKey.get(keyOf(old)) as SupersessionHit), replacedBy: latest });
  }
  return [...byKey.values()];
}

const keyOf = ({ candidate }: ScoredCandidate): string => `${candidate.part.nth} ${candidate.row.unit} ${candidate.chunk.messageId ?? ''}`;

/** The last known record of a chain of replacements; undefined for a ring. */
function latestOf(
  row: UnitRow,
  current: ReadonlyMap<string, UnitRow>,
  named: ReadonlyMap<string, string>,
  byKey: ReadonlyMap<string, SupersessionHit>,
): string | undefined {
  const visited = new Set([row.id]);
  let latest: string | undefined;
  for (let next = row.supersededBy; next !== undefined && !visited.has(next);) {
    visited.add(next);
    const known = current.get(next) ?? byKey.get(named.get(next) ?? '')?.candidate.row;
    if (known === undefined) return latest;
    latest = next;
    next = known.supersededBy;
    if (next !== undefined && visited.has(next)) return undefined;
  }
  return latest;
}

/** The most hits that are considered for the list. */
const POOL = 80;

/**
 * Arranges the list: best first, with a deduction for further hits of one unit, and with half of the list from different units, so that it serves a search
 * for a message and a search for a session.
 */
export function arrange(hits: readonly SupersessionHit[], limit: number): SupersessionHit[] {
  const sorted = hits.toSorted((a, b) => b.score - a.score).slice(0, Math.max(POOL, 2 * limit));
  const pool = sorted.map((hit) => ({ hit, unit: unitKey(hit) }));
  const byUnit = new Map<string, number>();
  const list: SupersessionHit[] = [];
  const fewestUnits = Math.ceil(limit / 2);
  while (list.length < limit && pool.length > 0) {
    const onlyFresh = fewestUnits - byUnit.size >= limit - list.length && pool.some(({ unit }) => !byUnit.has(unit));
    let best = -1;
    let bestScore = -Infinity;
    for (let at = 0; at < pool.length; at++) {
      const { hit, unit } = pool[at] as (typeof pool)[number];
      const times = byUnit.get(unit) ?? 0;
      const score = hit.score - REPEAT[hit.register] * times;
      if (score > bestScore && !(onlyFresh && times > 0)) [best, bestScore] = [at, score];
    }
    const [{ hit, unit }] = pool.splice(best, 1) as [(typeof pool)[number]];
    const times = byUnit.get(unit) ?? 0;
    byUnit.set(unit, times + 1);
    list.push(times === 0 ? hit : repeated(hit, times));
  }
  return list;
}

function repeated(hit: SupersessionHit, times: number): SupersessionHit {
  const parts: readonly ScorePart[] = [...hit.parts, { signal: 'repeat', value: times, points: -REPEAT[hit.register] * times }];
  return { ...hit, parts, score: sumOf(parts) };
}

const unitKey = ({ candidate }: SupersessionHit): string => `${candidate.part.nth} ${candidate.row.unit}`;
