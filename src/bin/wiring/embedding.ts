import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { EPISODES_FILE, MESSAGE_VECTORS_FILE, placesIn, VECTORS_FILE } from '../../adapters/files/home-layout.ts';
import { openEmbedder } from '../../adapters/model/embed/open.ts';
import type { Environment } from '../../core/ports/host.ts';
import { MessageSearchIndex } from '../../adapters/sqlite/episodes/message-search.ts';
import { SqliteVectors } from '../../adapters/sqlite/vectors/vectors.ts';
import { openEmbedding, type OpenEmbedding } from '../../app/embedding/open.ts';
import type { EmbeddedPart } from '../../app/embedding/place.ts';
import { itemTexts } from '../../app/embedding/embed.ts';
import type { Memory } from '../../app/memory/memory.ts';

export interface EmbeddingRequest {
  readonly home: string;
  readonly env: Environment;
  /** Somebody waits for the answer: better words alone than a long wait. */
  readonly hurried: boolean;
}

const HURRIED = { timeoutMs: 3_000, tries: 1 };

/** Vectors of the projects under a home, with the embedders that their settings name. */
export function openEmbeddingIn({ home, env, hurried }: EmbeddingRequest): OpenEmbedding {
  const stateOf = ({ key }: Memory): string => (key === 'user' ? placesIn(home).userState : placesIn(home).state(key));
  return openEmbedding({
    openEmbedder: ({ config }) => {
      const variable = config.get('embed.keyVariable').trim();
      return openEmbedder(config, { key: variable === '' ? undefined : env[variable], ...(hurried && { patience: HURRIED }) });
    },
    version: (memory) => [VECTORS_FILE, EPISODES_FILE].map((file) => existsSync(join(stateOf(memory), file))).join(' '),
    openParts: (memory, keep) => {
      const state = stateOf(memory);
      // A look leaves no file behind.
      if (hurried && !existsSync(join(state, VECTORS_FILE))) return [];
      const items: EmbeddedPart = { kind: 'items', source: itemTexts(memory.index), store: keep(new SqliteVectors(join(state, VECTORS_FILE))) };
      const file = join(state, EPISODES_FILE);
      const messages = existsSync(file) ? keep(new MessageSearchIndex(file, memory.key)) : undefined;
      if (!messages?.isReadable) return [items];
      const source = { chunks: (after: number, limit: number) => messages.texts(after, limit), count: () => messages.textCount() };
      return [items, { kind: 'messages', source, store: keep(new SqliteVectors(join(state, MESSAGE_VECTORS_FILE))) }];
    },
  });
}
