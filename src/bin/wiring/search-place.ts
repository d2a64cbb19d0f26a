import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ARCHIVE_FOLDER, EPISODES_FILE, INJECTIONS_FILE, placesIn } from '../../adapters/files/home-layout.ts';
import type { Memory } from '../../app/memory/memory.ts';
import type { SearchPlace } from '../../app/search/search.ts';
import type { ProjectMessages } from '../../app/search/messages.ts';
import { timers } from '../../adapters/process/running.ts';
import { type Aside, nearbyFor } from '../../app/embedding/nearby.ts';

export interface OpenPlace extends SearchPlace {
  close(): void;
}

/** A project as a search sees it: its memory, its conversations once they are asked for, and the feedback on its records. */
export function searchPlace(home: string, memory: Memory, feedbackOf: SearchPlace['feedbackOf'], distance = 0): OpenPlace {
  const state = placesIn(home).state(memory.key);
  let messages: ProjectMessages | undefined;
  return {
    memory,
    distance,
    messages: async () => {
      if (!existsSync(join(state, EPISODES_FILE)) && !existsSync(join(state, ARCHIVE_FOLDER))) return undefined;
      messages ??= (await import('./open-messages.ts')).openMessages(home, memory.key);
      return messages.openRepaired();
    },
    ...(feedbackOf && { feedbackOf }),
    close: () => messages?.close(),
  };
}

/** For a process that searches once: the injection log is loaded where there is one. */
export async function feedbackIn(home: string, { key }: Memory): Promise<SearchPlace['feedbackOf']> {
  const file = join(placesIn(home).state(key), INJECTIONS_FILE);
  if (!existsSync(file)) return undefined;
  const { SqliteInjectionLog } = await import('../../adapters/sqlite/injections.ts');
  const log = new SqliteInjectionLog(file);
  return (ids) => log.feedbackOf(ids);
}

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
