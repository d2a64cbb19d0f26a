import type { Nearby } from '../../app/embedding/nearby.ts';
import type { Memory } from '../../app/memory/memory.ts';
import type { SearchPlace } from '../../app/search/search.ts';
import { ok } from '../../core/result.ts';
import type { openEmbedding } from './embedding.ts';

export interface NearbyRequest {
  readonly home: () => string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly closers: (() => Promise<void>)[];
}

const NOTHING: Nearby = { items: [], messages: [] };

/** How a search asks for what is near in meaning: not at all, and without loading anything for it, where no embedder is set up. */
export function nearbyFor({ home, env, closers }: NearbyRequest): (memory: Memory) => Pick<SearchPlace, 'nearby'> {
  let opened: ReturnType<typeof openEmbedding> | undefined;
  return (memory) => {
    if (memory.config.get('embed.provider') === 'none') return {};
    return {
      nearby: async (question, limit) => {
        const late = await import('../late/embedding.ts');
        if (opened === undefined) {
          const one = (opened = late.openEmbedding({ home: home(), env, hurried: true }));
          closers.push(async () => one.close());
        }
        const place = opened.of(memory);
        if (!place.ok) return place;
        return place.value === undefined ? ok(NOTHING) : late.nearbyIn(place.value, question, limit);
      },
    };
  };
}
