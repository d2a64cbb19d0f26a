import type { ItemHit } from '../../core/ports/index.ts';
import type { InjectionLog } from '../../core/ports/injection-log.ts';
import { analyze } from '../../recall/text/analyze.ts';
import type { GateHit, RankRecords } from '../../recall/gate/port.ts';
import { catchUp } from '../index/catch-up.ts';
import { refresh, verifyFiles } from '../index/refresh.ts';
import type { Memory } from '../memory/memory.ts';

/** The files of so many hits are checked for changes before they are ranked. */
const MAX_VERIFIED = 20;

/**
 * Index entries that a prompt may read: in a large memory its commonest words would take nearly all of the time, and an item that holds only those ranks low.
 * Its rarest words always count.
 */
const MAX_ENTRIES = 6_000;
const MIN_TERMS = 2;

/** The limit if a quarantined item is among the hits: it is left out, so more have to be read. */
const LIMIT_WITH_QUARANTINED = 200;

/** Ranks records and documents of one or more memories by the words they share with a text. Leaves quarantined ones out of hits and counts. */
export function itemRanking(memories: readonly Memory[], log: Pick<InjectionLog, 'receptionOf'>): RankRecords {
  return async (query, limit) => {
    const terms = [...new Set(analyze(query))];
    const counts = new Map<string, number>();
    const hits: GateHit[] = [];
    let total = 0;
    for (const memory of memories) {
      const { hits: matches, holders } = await matchWords(memory, terms, limit);
      const hidden = matches.filter(({ item }) => item.trust === 'quarantined').map(({ item }) => new Set(item.packedTexts.split(/[ \n]/)));
      total += memory.index.fileCount() - hidden.length;
      for (const [nth, count] of holders.entries()) {
        const term = terms[nth] as string;
        const visible = count - hidden.filter((itemTerms) => itemTerms.has(term)).length;
        if (visible > 0) counts.set(term, (counts.get(term) ?? 0) + visible);
      }
      hits.push(
        ...matches
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

interface WordMatches {
  readonly hits: readonly ItemHit[];
  /** How many items hold each term. */
  readonly holders: readonly number[];
}

function matchWords(memory: Memory, terms: readonly string[], limit: number): Promise<WordMatches> {
  const match = (): WordMatches => {
    const holders = memory.index.holding(terms);
    const affordable = affordableTerms(terms, holders);
    const search = (most: number): readonly ItemHit[] =>
      memory.index.search(
        affordable.map(({ term }) => term),
        { status: 'active' },
        most,
        affordable.map(({ count }) => count),
      );
    const hits = search(limit);
    return { holders, hits: hits.some(({ item }) => item.trust === 'quarantined') ? search(LIMIT_WITH_QUARANTINED) : hits };
  };
  return memory.index.guarded(
    async () => {
      await catchUp(memory, 'sweep');
      const matched = match();
      const shown = matched.hits.slice(0, MAX_VERIFIED).map(({ item }) => item);
      return (await verifyFiles(memory, shown)) ? match() : matched;
    },
    () => refresh(memory, 'everything'),
  );
}

/** The terms that an item holds, as many of the rarest as `MAX_ENTRIES` allows. */
function affordableTerms(terms: readonly string[], holders: readonly number[]): readonly { readonly term: string; readonly count: number }[] {
  const known = terms.map((term, nth) => ({ term, count: holders[nth] ?? 0 })).filter(({ count }) => count > 0);
  let entries = 0;
  return known.toSorted((a, b) => a.count - b.count).filter(({ count }, nth) => (entries += count) <= MAX_ENTRIES || nth < MIN_TERMS);
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
