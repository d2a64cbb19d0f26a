import type { Embedder } from '../../core/ports/embedding.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import type { Memory } from '../memory/memory.ts';
import { rememberingQuestions } from './nearby.ts';
import type { EmbeddedPart, EmbeddedPlace, Embedding } from './place.ts';

export interface EmbeddingHost {
  /** The embedder that the settings of a memory name; undefined where none is set up. */
  openEmbedder(memory: Memory): Result<Embedder | undefined>;
  /** Changes when vectors or conversations come to be. */
  version(memory: Memory): string;
  /** Opens the texts and vectors of a memory; what has to be closed goes to `keep`. */
  openParts(memory: Memory, keep: <T extends { close(): void }>(opened: T) => T): EmbeddedPart[];
}

export interface OpenEmbedding extends Embedding {
  close(): void;
}

/** Vectors of several memories; each embedder and each memory is opened once. */
export function openEmbedding({ openEmbedder, version, openParts }: EmbeddingHost): OpenEmbedding {
  const embedders = new Map<string, Embedder>();
  const places = new Map<string, EmbeddedPlace>();
  const opened: { close(): void }[] = [];

  const embedderOf = (memory: Memory): Result<Embedder | undefined> => {
    const open = openEmbedder(memory);
    if (!open.ok || open.value === undefined) return open;
    const where = `${open.value.name} ${memory.config.get('embed.endpoint')}`;
    const known = embedders.get(where) ?? rememberingQuestions(open.value);
    embedders.set(where, known);
    return ok(known);
  };

  return {
    of: (memory) => {
      const name = `${memory.key} ${version(memory)}`;
      const known = places.get(name);
      if (known) return ok(known);
      const embedder = embedderOf(memory);
      if (!embedder.ok) return embedder;
      if (embedder.value === undefined) return ok(undefined);
      try {
        const parts = openParts(memory, (one) => {
          opened.push(one);
          return one;
        });
        const place = { embedder: embedder.value, parts };
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
