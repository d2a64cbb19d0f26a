import type { RankedRecords, GateHit, RankRecords } from '../../recall/gate/port.ts';
import { GATE } from '../../recall/gate/weights.ts';

/** Several rankings as one. Scores of different rankers do not compare, so that each is taken as a share of its own best. */
export function joinedRanking(rankings: readonly RankRecords[]): RankRecords {
  return async (query, limit, open) => {
    const answers: RankedRecords[] = [];
    for (const ranking of rankings) answers.push(await ranking(query, limit, open));
    const total = Math.max(0, ...answers.map((answer) => answer.total));
    return { total, counts: countsOf(answers, total), hits: answers.flatMap(({ hits }) => scaled(hits)).toSorted((a, b) => b.score - a.score) };
  };
}

function scaled(hits: readonly GateHit[]): readonly GateHit[] {
  const top = Math.max(0, ...hits.map(({ score }) => score));
  return top === 0 ? hits : hits.map((hit) => ({ ...hit, score: hit.score / top }));
}

/** A term is as common as the ranking says in which it is most so. */
function countsOf(answers: readonly RankedRecords[], total: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (const answer of answers) {
    const scale = (total + GATE.unseen) / (answer.total + GATE.unseen);
    for (const [term, count] of answer.counts) counts.set(term, Math.max(count * scale, counts.get(term) ?? 0));
  }
  return counts;
}
