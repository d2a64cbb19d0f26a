import type { ItemHit } from '../../core/ports/index.ts';
import type { InjectionLog } from '../../core/ports/injection-log.ts';
import { analyze } from '../../recall/text/analyze.ts';
import type { GateHit, RankRecords } from '../../recall/gate/port.ts';
import { catchUp } from '../index/catch-up.ts';
import { refresh, verifyFiles } from '../index/refresh.ts';
import type { Memory } from '../memory/memory.ts';

/** Hits whose files are looked at again before they are weighed. */
const VERIFIED = 20;

/**
 * Entries of the index that a prompt may look through: in a large memory its commonest words would cost nearly all of the time, and what holds nothing else
 * is far from the best. Its rarest words always count.
 */
const ENTRIES = 6_000;
const RAREST = 2;

/** The number of hits to read if a quarantined one matches, so that the hits without it are known. */
const MANY = 200;

/** Records and documents by the words they share with a text, from one or more memories. Quarantined ones are left out, also of the counts. */
export function itemRanking(memories: readonly Memory[], log: Pick<InjectionLog, 'receptionOf'>): RankRecords {
  return async (query, limit) => {
    const terms = [...new Set(analyze(query))];
    const counts = new Map<string, number>();
    const hits: GateHit[] = [];
    let total = 0;
    for (const memory of memories) {
      const { found, holders } = await searched(memory, terms, limit);
      const hidden = found.filter(({ item }) => item.trust === 'quarantined').map(({ item }) => new Set(item.packedTexts.split(/[ \n]/)));
      total += memory.index.fileCount() - hidden.length;
      for (const [nth, count] of holders.entries()) {
        const term = terms[nth] as string;
        const open = count - hidden.filter((held) => held.has(term)).length;
        if (open > 0) counts.set(term, (counts.get(term) ?? 0) + open);
      }
      hits.push(
        ...found
          .filter(({ item }) => item.trust !== 'quarantined')
          .slice(0, limit)
          .map(gateHitOf),
      );
    }
    const received = log.receptionOf(hits.map(({ id }) => id));
    const best = hits.toSorted((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, limit);
    return { total, counts, hits: best.map((hit) => ({ ...hit, ...received.get(hit.id) })) };
  };
}

interface Searched {
  readonly found: readonly ItemHit[];
  /** How many hold each term. */
  readonly holders: readonly number[];
}

function searched(memory: Memory, terms: readonly string[], limit: number): Promise<Searched> {
  const match = (): Searched => {
    const holders = memory.index.holding(terms);
    const affordable = rarestFirst(terms, holders);
    const search = (most: number): readonly ItemHit[] =>
      memory.index.search(
        affordable.map(({ term }) => term),
        { status: 'active' },
        most,
        affordable.map(({ count }) => count),
      );
    const found = search(limit);
    return { holders, found: found.some(({ item }) => item.trust === 'quarantined') ? search(MANY) : found };
  };
  return memory.index.guarded(
    async () => {
      await catchUp(memory, 'sweep');
      const matched = match();
      const shown = matched.found.slice(0, VERIFIED).map(({ item }) => item);
      return (await verifyFiles(memory, shown)) ? match() : matched;
    },
    () => refresh(memory, 'everything'),
  );
}

/** The terms that anything holds, as many of the rarest as can be afforded. */
function rarestFirst(terms: readonly string[], holders: readonly number[]): readonly { readonly term: string; readonly count: number }[] {
  const known = terms.map((term, nth) => ({ term, count: holders[nth] ?? 0 })).filter(({ count }) => count > 0);
  let entries = 0;
  return known.toSorted((a, b) => a.count - b.count).filter(({ count }, nth) => (entries += count) <= ENTRIES || nth < RAREST);
}

export const gateHitOf = ({ item, score }: ItemHit): GateHit => ({
  kind: item.kind,
  id: item.category ? `${item.category}/${item.id}` : item.id,
  root: item.root,
  title: item.title,
  tags: item.tags,
  files: item.files,
  text: item.body,
  packedTexts: item.packedTexts,
  score,
  status: item.status,
  trust: item.trust,
  updatedAt: item.updatedAt,
  ...(item.category !== undefined && { category: item.category }),
  ...(item.supersededBy !== undefined && { supersededBy: item.supersededBy }),
});
