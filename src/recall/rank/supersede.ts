import type { UnitRow } from '../port.ts';
import { type ScorePart, type Scored, sumOf } from './score.ts';
import { REPEAT } from './weights.ts';

/** A hit and what must be said of it: which record it replaces or was replaced by. */
export interface SupersessionHit extends Scored {
  readonly replacedBy?: string;
  readonly replaces?: string;
}

/** How far the current record stands above the one it replaced. */
const LEAD = 0.001;

/**
 * Puts every record above those it replaced: one that matched less is lifted, one that did not match at all is brought in by `bring`.
 * `hits` hold one hit a unit of each record.
 */
export function putCurrentFirst(
  hits: readonly Scored[],
  current: ReadonlyMap<string, UnitRow>,
  bring: (old: Scored, row: UnitRow) => Scored,
): SupersessionHit[] {
  if (hits.every(({ candidate }) => candidate.row.supersededBy === undefined)) return [...hits];
  const noted = new Map<string, SupersessionHit>(hits.map((hit) => [keyOf(hit), hit]));
  const named = new Map(hits.filter(({ candidate }) => candidate.row.type === 'record').map((hit) => [hit.candidate.row.id, keyOf(hit)]));
  for (const old of hits.toSorted((a, b) => b.score - a.score)) {
    const heir = heirOf(old.candidate.row, current, named, noted);
    if (heir === undefined) continue;
    const key = named.get(heir) ?? `new ${heir}`;
    const present = noted.get(key) ?? bringIn(old, current.get(heir), bring);
    if (present === undefined) continue;
    const gap = old.score + LEAD - present.score;
    const parts: readonly ScorePart[] = gap > 0 ? [...present.parts, { signal: 'replaces', value: 1, points: gap }] : present.parts;
    noted.set(key, { ...present, parts, score: sumOf(parts), replaces: old.candidate.row.id });
    named.set(heir, key);
    noted.set(keyOf(old), { ...(noted.get(keyOf(old)) as SupersessionHit), replacedBy: heir });
  }
  return [...noted.values()];
}

const keyOf = ({ candidate }: Scored): string => `${candidate.part.nth} ${candidate.row.unit} ${candidate.chunk.messageId ?? ''}`;

/** The last of a chain of replacements that is known; a ring has none. */
function heirOf(
  row: UnitRow,
  current: ReadonlyMap<string, UnitRow>,
  named: ReadonlyMap<string, string>,
  noted: ReadonlyMap<string, SupersessionHit>,
): string | undefined {
  const seen = new Set([row.id]);
  let heir: string | undefined;
  for (let next = row.supersededBy; next !== undefined && !seen.has(next);) {
    seen.add(next);
    const known = current.get(next) ?? noted.get(named.get(next) ?? '')?.candidate.row;
    if (known === undefined) return heir;
    heir = next;
    next = known.supersededBy;
    if (next !== undefined && seen.has(next)) return undefined;
  }
  return heir;
}

const bringIn = (old: Scored, row: UnitRow | undefined, bring: (old: Scored, row: UnitRow) => Scored): SupersessionHit | undefined =>
  row === undefined ? undefined : bring(old, row);

/** More than this many are not looked at for the list. */
const POOL = 80;

/**
 * The list that is shown: best first, a unit's further hits giving way, and half of the list from different units, so that it serves those who look
 * for a message and those who look for a session.
 */
export function arrange(hits: readonly SupersessionHit[], limit: number): SupersessionHit[] {
  const sorted = hits.toSorted((a, b) => b.score - a.score).slice(0, Math.max(POOL, 2 * limit));
  const pool = sorted.map((hit) => ({ hit, unit: unitKey(hit) }));
  const shown = new Map<string, number>();
  const list: SupersessionHit[] = [];
  const wanted = Math.ceil(limit / 2);
  while (list.length < limit && pool.length > 0) {
    const onlyFresh = wanted - shown.size >= limit - list.length && pool.some(({ unit }) => !shown.has(unit));
    let best = -1;
    let bestScore = -Infinity;
    for (let at = 0; at < pool.length; at++) {
      const { hit, unit } = pool[at] as (typeof pool)[number];
      const times = shown.get(unit) ?? 0;
      const score = hit.score - REPEAT[hit.register] * times;
      if (score > bestScore && !(onlyFresh && times > 0)) [best, bestScore] = [at, score];
    }
    const [{ hit, unit }] = pool.splice(best, 1) as [(typeof pool)[number]];
    const times = shown.get(unit) ?? 0;
    shown.set(unit, times + 1);
    list.push(times === 0 ? hit : repeated(hit, times));
  }
  return list;
}

function repeated(hit: SupersessionHit, times: number): SupersessionHit {
  const parts: readonly ScorePart[] = [...hit.parts, { signal: 'repeat', value: times, points: -REPEAT[hit.register] * times }];
  return { ...hit, parts, score: sumOf(parts) };
}

const unitKey = ({ candidate }: SupersessionHit): string => `${candidate.part.nth} ${candidate.row.unit}`;
