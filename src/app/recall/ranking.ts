import type { ItemHit } from '../../core/ports/index.ts';
import type { InjectionLog } from '../../core/ports/injection-log.ts';
import { analyze } from '../../recall/analyze.ts';
import type { RankedHit, Ranking } from '../../recall/gate/port.ts';
import { catchUp } from '../index/catch-up.ts';
import { refresh, verifyFiles } from '../index/refresh.ts';
import type { Memory } from '../memory/memory.ts';

/** Hits whose files are looked at again before they are weighed. */
const VERIFIED = 20;

/** Where something quarantined matches, so many are looked at, to tell what there is without it. */
const MANY = 200;

/** Records and documents by the words they share with a text, from one or more memories. What is quarantined neither counts nor is counted. */
export function itemRanking(memories: readonly Memory[], log: Pick<InjectionLog, 'feedbackOf'>): Ranking {
  return async (query, limit) => {
    const terms = [...new Set(analyze(query))];
    const counts = new Map<string, number>();
    const hits: RankedHit[] = [];
    let total = 0;
    for (const memory of memories) {
      const found = await searched(memory, terms, limit);
      const hidden = found.filter(({ item }) => item.trust === 'quarantined').map(({ item }) => new Set(item.pieces.split(/[ \n]/)));
      total += memory.index.fileCount() - hidden.length;
      for (const [nth, count] of memory.index.holding(terms).entries()) {
        const term = terms[nth] as string;
        const open = count - hidden.filter((held) => held.has(term)).length;
        if (open > 0) counts.set(term, (counts.get(term) ?? 0) + open);
      }
      hits.push(
        ...found
          .filter(({ item }) => item.trust !== 'quarantined')
          .slice(0, limit)
          .map(hitOf),
      );
    }
    const feedback = log.feedbackOf(hits.map(({ id }) => id));
    const best = hits.toSorted((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, limit);
    return { total, counts, hits: best.map((hit) => ({ ...hit, feedback: feedback.get(hit.id) ?? 0 })) };
  };
}

function searched(memory: Memory, terms: readonly string[], limit: number): Promise<readonly ItemHit[]> {
  const match = (): readonly ItemHit[] => {
    const found = memory.index.search(terms, { status: 'active' }, limit);
    return found.some(({ item }) => item.trust === 'quarantined') ? memory.index.search(terms, { status: 'active' }, MANY) : found;
  };
  return memory.index.guarded(
    async () => {
      await catchUp(memory, 'sweep');
      const found = match();
      const shown = found.slice(0, VERIFIED).map(({ item }) => item);
      return (await verifyFiles(memory, shown)) ? match() : found;
    },
    () => refresh(memory, 'everything'),
  );
}

const hitOf = ({ item, score }: ItemHit): RankedHit => ({
  kind: item.kind,
  id: item.category ? `${item.category}/${item.id}` : item.id,
  root: item.root,
  title: item.title,
  tags: item.tags,
  files: item.files,
  text: item.body,
  score,
  status: item.status,
  trust: item.trust,
  updatedAt: item.updatedAt,
  ...(item.category !== undefined && { category: item.category }),
  ...(item.supersededBy !== undefined && { supersededBy: item.supersededBy }),
  ...(item.category === 'session_summary' && { session: item.id }),
});
