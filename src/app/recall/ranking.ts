import type { ItemHit } from '../../core/ports/index.ts';
import type { InjectionLog } from '../../core/ports/injection-log.ts';
import { analyze } from '../../recall/analyze.ts';
import type { RankedHit, Ranking } from '../../recall/gate/port.ts';
import { catchUp } from '../index/catch-up.ts';
import { refresh, verifyFiles } from '../index/refresh.ts';
import type { Memory } from '../memory/memory.ts';

/** Hits whose terms are counted: what they hold tells how common a term is. */
const COUNTED = 200;

/** Records and documents by the words they share with a text, from one or more memories. What is quarantined neither counts nor is counted. */
export function itemRanking(memories: readonly Memory[], log: Pick<InjectionLog, 'feedbackOf'>): Ranking {
  return async (query, limit) => {
    const terms = [...new Set(analyze(query))];
    const counts = new Map<string, number>();
    const hits: RankedHit[] = [];
    let total = 0;
    for (const memory of memories) {
      const found = (await searched(memory, terms)).filter(({ item }) => item.trust !== 'quarantined');
      const size = memory.index.count({ status: 'active' });
      total += size;
      countInto(counts, terms, found, size);
      hits.push(...found.slice(0, limit).map(hitOf));
    }
    const feedback = log.feedbackOf(hits.map(({ id }) => id));
    const best = hits.toSorted((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, limit);
    return { total, counts, hits: best.map((hit) => ({ ...hit, feedback: feedback.get(hit.id) ?? 0 })) };
  };
}

function searched(memory: Memory, terms: readonly string[]): Promise<readonly ItemHit[]> {
  const match = (): readonly ItemHit[] => memory.index.search(terms, { status: 'active' }, COUNTED);
  return memory.index.guarded(
    async () => {
      await catchUp(memory, 'sweep');
      const found = match();
      const shown = found.slice(0, COUNTED / 10).map(({ item }) => item);
      return (await verifyFiles(memory, shown)) ? match() : found;
    },
    () => refresh(memory, 'everything'),
  );
}

/** Exact as long as all that match were found; beyond that, a term in most of the hits is taken to be in as large a part of the whole. */
function countInto(counts: Map<string, number>, terms: readonly string[], found: readonly ItemHit[], size: number): void {
  const wanted = new Set(terms);
  const here = new Map<string, number>();
  for (const { item } of found) {
    const held = new Set(analyze(`${item.title}\n${item.tags.join(' ')}\n${item.files.join(' ')}\n${item.body}`).filter((term) => wanted.has(term)));
    for (const term of held) here.set(term, (here.get(term) ?? 0) + 1);
  }
  for (const [term, count] of here) {
    const common = found.length === COUNTED && count > COUNTED / 2;
    counts.set(term, (counts.get(term) ?? 0) + (common ? (count / COUNTED) * size : count));
  }
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
