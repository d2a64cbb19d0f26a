import type { Nearby } from '../../app/embedding/nearby.ts';
import type { Embedding } from '../../app/embedding/place.ts';
import type { Memory } from '../../app/memory/memory.ts';
import type { SearchPlace } from '../../app/search/search.ts';
import { ok, refuse, type Result } from '../../core/result.ts';

export interface NearbyRequest {
  readonly home: () => string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly closers: (() => Promise<void>)[];
  /** Waits no longer than this for any embedder, even one that is loading. */
  readonly withinMs?: number | undefined;
  /** How to wait where others wait behind the search. */
  readonly aside?: Aside | undefined;
}

export type Aside = <T>(wait: () => Promise<T>) => Promise<T>;

const NOTHING: Nearby = { items: [], messages: [] };

/** How a search asks for what is near in meaning: not at all, and without loading anything for it, where no embedder is set up. */
export function nearbyFor({ home, env, closers, withinMs, aside = (wait) => wait() }: NearbyRequest): (memory: Memory) => Pick<SearchPlace, 'nearby'> {
  let opened: Embedding | undefined;
  const ask = async (memory: Memory, question: string, limit: number): Promise<Result<Nearby>> => {
    const { openEmbedding } = await import('./embedding.ts');
    const { nearbyIn } = await import('../../app/embedding/nearby.ts');
    if (opened === undefined) {
      const one = (opened = openEmbedding({ home: home(), env, hurried: true }));
      closers.push(async () => one.close());
    }
    const place = opened.of(memory);
    if (!place.ok) return place;
    return place.value === undefined ? ok(NOTHING) : nearbyIn(place.value, question, limit);
  };
  return (memory) => {
    if (memory.config.get('embed.provider') === 'none') return {};
    return {
      nearby: (question, limit) =>
        aside(() => {
          const asked = ask(memory, question, limit);
          return withinMs === undefined ? asked : within(withinMs, asked);
        }),
    };
  };
}

async function within(ms: number, asked: Promise<Result<Nearby>>): Promise<Result<Nearby>> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Result<Nearby>>((resolve) => {
    timer = setTimeout(() => resolve(refuse('MODEL_ERROR', `the embedder has not answered within ${ms / 1000} s`)), ms);
  });
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}
