import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { EPISODES_FILE, MESSAGE_VECTORS_FILE, placesIn, VECTORS_FILE } from '../../adapters/files/home-layout.ts';
import { installedModel } from '../../adapters/model/embed/install.ts';
import { openEmbedder } from '../../adapters/model/embed/open.ts';
import { MessageSearchIndex } from '../../adapters/sqlite/episodes/message-search.ts';
import { SqliteVectors } from '../../adapters/sqlite/vectors/vectors.ts';
import { openEmbedding, type OpenEmbedding } from '../../app/embedding/open.ts';
import type { Memory } from '../../app/memory/memory.ts';
import type { Environment } from '../../core/ports/host.ts';

const URGENT = { timeoutMs: 3_000, tries: 1 };
const FILES = { items: VECTORS_FILE, messages: MESSAGE_VECTORS_FILE } as const;

/** The embeddings of the projects under a home. With `urgent` a user waits, so it gives up early and search works by words only. */
export function openEmbeddingIn({ home, env, urgent }: { home: string; env: Environment; urgent: boolean }): OpenEmbedding {
  const places = placesIn(home);
  const inState = ({ key }: Memory, file: string): string => join(key === 'user' ? places.userState : places.state(key), file);
  return openEmbedding({
    openEmbedder: ({ config }) => {
      const key = env[config.get('embed.keyVariable').trim()];
      return openEmbedder(config, { key, model: installedModel(places.embedder), ...(urgent && { retryPolicy: URGENT }) });
    },
    fingerprint: (memory) => [VECTORS_FILE, EPISODES_FILE].map((file) => existsSync(inState(memory, file))).join(' '),
    openVectors: (memory, kind) => (urgent && !existsSync(inState(memory, VECTORS_FILE)) ? undefined : new SqliteVectors(inState(memory, FILES[kind]))),
    openMessages: (memory) => (existsSync(inState(memory, EPISODES_FILE)) ? new MessageSearchIndex(inState(memory, EPISODES_FILE), memory.key) : undefined),
  });
}
