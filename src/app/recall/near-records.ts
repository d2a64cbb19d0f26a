import type { InjectionLog } from '../../core/ports/injection-log.ts';
import type { GateHit, RankRecords } from '../../recall/gate/port.ts';
import { placeLabelled } from '../embedding/embed.ts';
import type { NearbyOf } from '../embedding/nearby.ts';
import type { Memory } from '../memory/memory.ts';
import { gateHitOf } from './ranking.ts';

/** Records that are looked at for their meaning: few of a memory are near a prompt. */
const NEAREST = 40;
/** Records that come in by their meaning alone. */
const MOST_UNMATCHED = 4;

/** Cosines of the sentence model: up to the first, a prompt and a record of its project are near each other by chance; from the second on they are about one matter. */
const BY_CHANCE = 0.3;
const ONE_MATTER = 0.5;

/** Nearness in meaning from 0 to 1, out of a cosine. */
export const similarityOf = (cosine: number): number => Math.max(0, Math.min(1, (cosine - BY_CHANCE) / (ONE_MATTER - BY_CHANCE)));

/** Adds nearness in meaning to what words found, and the nearest records that share no word with the prompt. Without an answer in time words alone decide. */
export function rankWithMeaning(words: RankRecords, memories: readonly Memory[], log: Pick<InjectionLog, 'receptionOf'>, nearbyOf: NearbyOf): RankRecords {
  return async (query, limit, open) => {
    // Asked first: another thread embeds the prompt while this one searches by words.
    const pending = memories.filter(isBySentences).map(async (memory) => ({ memory, nearby: await nearbyOf(memory).nearby?.(query, NEAREST) }));
    const ranked = await words(query, limit, open);
    const near = new Map<string, GateHit>();
    const answers = await Promise.all(pending);
    const hasAnswered = answers.some(({ nearby }) => nearby?.ok && nearby.value.items.length > 0);
    for (const { memory, nearby } of answers) {
      for (const { label, score } of nearby?.ok ? nearby.value.items : []) {
        const similarity = similarityOf(score);
        if (label === undefined || similarity === 0) break;
        const item = memory.index.itemAt(placeLabelled(label), { status: 'active' });
        if (item && item.trust !== 'quarantined') near.set(`${item.root}:${item.path}`, { ...gateHitOf({ item, score: 0 }), similarity });
      }
    }
    const found = new Map([...near.values()].map((hit) => [nameOf(hit), hit]));
    const hits = ranked.hits.map((hit) => {
      const similarity = found.get(nameOf(hit))?.similarity;
      return similarity === undefined ? hit : { ...hit, similarity };
    });
    const known = new Set(hits.map(nameOf));
    const others = [...found].filter(([name, { kind }]) => kind === 'record' && !known.has(name)).slice(0, MOST_UNMATCHED);
    const received = log.receptionOf(others.map(([, { id }]) => id));
    return { ...ranked, ...(hasAnswered && { byMeaning: true as const }), hits: [...hits, ...others.map(([, hit]) => ({ ...hit, ...received.get(hit.id) }))] };
  };
}

/** Cosines of other models are on another scale. */
const isBySentences = ({ config }: Memory): boolean => config.get('embed.provider') === 'minilm';

const nameOf = ({ root, id }: GateHit): string => `${root} ${id}`;
