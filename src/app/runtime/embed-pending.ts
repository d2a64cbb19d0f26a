import type { Clock } from '../../core/ports/host.ts';
import type { OpenEmbedding } from '../embedding/open.ts';
import { embedPlace } from '../embedding/place.ts';
import { catchUp } from '../index/catch-up.ts';
import type { Memory } from '../memory/memory.ts';

/** What is left is for the next time, or for `holdfast embed`. */
const MOST_MS = 60_000;

/** Gives what is new in some memories its vectors. An embedder that does not answer is left in peace; `doctor` counts what has no vector. */
export async function embedPending(memories: readonly Memory[], embedding: OpenEmbedding, now: Clock): Promise<void> {
  const until = now() + MOST_MS;
  try {
    for (const memory of memories) {
      const place = embedding.of(memory);
      if (!place.ok || place.value === undefined) continue;
      await catchUp(memory);
      await embedPlace(place.value, { md5: memory.md5, goesOn: () => now() < until });
    }
  } finally {
    embedding.close();
  }
}
