import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openEmbedder } from '../../adapters/model/embed/open.ts';
import { MessageSearchIndex } from '../../adapters/sqlite/episodes-recall.ts';
import { SqliteVectors } from '../../adapters/sqlite/vectors.ts';
import { rememberingQuestions } from '../../app/embedding/nearby.ts';
import type { EmbeddedPart, EmbeddedPlace, Embedding } from '../../app/embedding/place.ts';
import { itemTexts } from '../../app/embedding/texts.ts';
import type { Memory } from '../../app/memory/memory.ts';
import type { Embedder } from '../../core/ports/embedding.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { EPISODES_FILE, MESSAGE_VECTORS_FILE, placesIn, VECTORS_FILE } from '../../adapters/files/home-layout.ts';

export interface EmbeddingRequest {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Somebody waits for the answer: better words alone than a long wait. */
  readonly hurried: boolean;
}

const HURRIED = { timeoutMs: 3_000, tries: 1 };

/** Vectors of the projects under a home, with the embedders that their settings name. */
export function openEmbedding({ home, env, hurried }: EmbeddingRequest): Embedding & { close(): void } {
  const embedders = new Map<string, Embedder>();
  const places = new Map<string, EmbeddedPlace>();
  const opened: { close(): void }[] = [];

  const embedderOf = ({ config }: Memory): Result<Embedder | undefined> => {
    const variable = config.get('embed.keyVariable').trim();
    const open = openEmbedder(config, { key: variable === '' ? undefined : env[variable], ...(hurried && { patience: HURRIED }) });
    if (!open.ok || open.value === undefined) return open;
    const where = `${open.value.name} ${config.get('embed.endpoint')}`;
    const known = embedders.get(where) ?? rememberingQuestions(open.value);
    embedders.set(where, known);
    return ok(known);
  };

  const stateOf = ({ key }: Memory): string => (key === 'user' ? placesIn(home).userState : placesIn(home).state(key));

  const partsOf = (memory: Memory): EmbeddedPart[] => {
    const state = stateOf(memory);
    const keep = <T extends { close(): void }>(one: T): T => {
      opened.push(one);
      return one;
    };
    // A look leaves no file behind.
    if (hurried && !existsSync(join(state, VECTORS_FILE))) return [];
    const items: EmbeddedPart = { kind: 'items', source: itemTexts(memory.index), store: keep(new SqliteVectors(join(state, VECTORS_FILE))) };
    const file = join(state, EPISODES_FILE);
    const shelf = existsSync(file) ? keep(new MessageSearchIndex(file, memory.key)) : undefined;
    if (!shelf?.isReadable) return [items];
    const source = { chunks: (after: number, limit: number) => shelf.texts(after, limit), count: () => shelf.textCount() };
    return [items, { kind: 'messages', source, store: keep(new SqliteVectors(join(state, MESSAGE_VECTORS_FILE))) }];
  };

  return {
    of: (memory) => {
      // Vectors or conversations may come to be while this is open.
      const name = [memory.key, ...[VECTORS_FILE, EPISODES_FILE].map((file) => existsSync(join(stateOf(memory), file)))].join(' ');
      const known = places.get(name);
      if (known) return ok(known);
      const embedder = embedderOf(memory);
      if (!embedder.ok) return embedder;
      if (embedder.value === undefined) return ok(undefined);
      try {
        const place = { embedder: embedder.value, parts: partsOf(memory) };
        places.set(name, place);
        return ok(place);
      } catch (cause) {
        return refuse('IO_ERROR', `the vectors of ${memory.key} cannot be opened: ${(cause as Error).message}`, { hint: 'check the permissions of the home' });
      }
    },
    close: () => {
      for (const one of opened) one.close();
    },
  };
}
