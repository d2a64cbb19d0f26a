import { timers } from '../../adapters/process/running.ts';
import { type Aside, nearbyFor } from '../../app/embedding/nearby.ts';

export interface SearchNearbyRequest {
  readonly home: () => string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly closers: (() => Promise<void>)[];
  readonly withinMs?: number;
  readonly aside?: Aside;
}

/** Search by meaning; the embedder is loaded and opened with the first question. */
export const searchNearby = ({ home, env, closers, withinMs, aside }: SearchNearbyRequest): ReturnType<typeof nearbyFor> =>
  nearbyFor({
    open: async () => {
      const embedding = (await import('./open-embedding.ts')).openEmbeddingIn({ home: home(), env, hurried: true });
      closers.push(async () => embedding.close());
      return embedding;
    },
    ...(withinMs !== undefined && { within: { ms: withinMs, timers } }),
    ...(aside && { aside }),
  });
