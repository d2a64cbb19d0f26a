import type { InjectionLog } from '../../core/ports/injection-log.ts';
import type { GateHit, RankRecords } from '../../recall/gate/port.ts';
import { placeOfLabel } from '../embedding/embed.ts';
import type { NearbyOf } from '../embedding/nearby.ts';
import type { Memory } from '../memory/memory.ts';
import { gateHitOf } from './ranking.ts';

/** So many nearest records are compared; few of a memory are near a prompt. */
const MAX_NEAREST = 40;
/** So many records that share no word with the prompt are added. */
const MAX_WITHOUT_WORDS = 4;

/** Cosines of the sentence model for a prompt and a record of its project: up to the first they are unrelated, from the second on they are about the same matter. */
const UNRELATED_COSINE = 0.3;
const RELATED_COSINE = 0.5;

/** Turns a cosine into a similarity from 0 to 1. */
export const similarityOf = (cosine: number): number => Math.max(0, Math.min(1, (cosine - UNRELATED_COSINE) / (RELATED_COSINE - UNRELATED_COSINE)));

/** Adds similarity in meaning to the hits of a ranking by words, and the nearest records that share no word. If the embedder does not answer in time, only words count. */
export function rankWithMeaning(words: RankRecords, memories: readonly Memory[], log: Pick<InjectionLog, 'receptionOf'>, nearbyOf: NearbyOf): RankRecords {
  return async (query, limit, open) => {
    // Started first: another thread embeds the prompt while this one searches by words.
    const pending = memories.filter(usesSentenceModel).map(async (memory) => ({ memory, nearby: await nearbyOf(memory).nearby?.(query, MAX_NEAREST) }));
    const ranked = await words(query, limit, open);
    const near = new Map<string, GateHit>();
    const answers = await Promise.all(pending);
    const hasAnswered = answers.some(({ nearby }) => nearby?.ok && nearby.value.items.length > 0);
    for (const { memory, nearby } of answers) {
      for (const { label, score } of nearby?.ok ? nearby.value.items : []) {
        const similarity = similarityOf(score);
        if (label === undefined || similarity === 0) break;
        const item = memory.index.itemAt(placeOfLabel(label), { status: 'active' });
        if (item && item.trust !== 'quarantined') near.set(`${item.root}:${item.path}`, { ...gateHitOf({ item, score: 0 }), similarity });
      }
    }
    const nearByKey = new Map([...near.values()].map((hit) => [hitKey(hit), hit]));
    const hits = ranked.hits.map((hit) => {
      const similarity = nearByKey.get(hitKey(hit))?.similarity;
      return similarity === undefined ? hit : { ...hit, similarity };
    });
    const known = new Set(hits.map(hitKey));
    const others = [...nearByKey].filter(([name, { kind }]) => kind === 'record' && !known.has(name)).slice(0, MAX_WITHOUT_WORDS);
    const received = log.receptionOf(others.map(([, { id }]) => id));
    return { ...ranked, ...(hasAnswered && { byMeaning: true as const }), hits: [...hits, ...others.map(([, hit]) => ({ ...hit, ...received.get(hit.id) }))] };
  };
}

/** Only its cosines are on the scale above. */
const usesSentenceModel = ({ config }: Memory): boolean => config.get('embed.provider') === 'minilm';

const hitKey = ({ root, id }: GateHit): string => `${root} ${id}`;
