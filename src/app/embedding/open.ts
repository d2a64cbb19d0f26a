import type { Embedder, VectorStore } from '../../core/ports/embedding.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import type { Memory } from '../memory/memory.ts';
import { type EmbeddedText, itemTexts } from './embed.ts';
import { cachingLastQuestion } from './nearby.ts';
import type { EmbeddedKind, EmbeddedPart, EmbeddedPlace, Embedding } from './place.ts';

/** The messages of a memory as texts to embed. */
interface MessageTexts {
  /** False for an index of another version, and for one that does not know what the archive holds. */
  readonly isReadable: boolean;
  texts(after: number, limit: number): readonly EmbeddedText[];
  textCount(): number;
  close(): void;
}

export interface EmbeddingHost {
  /** The embedder that the settings of a memory name; undefined if none is set up. */
  openEmbedder(memory: Memory): Result<Embedder | undefined>;
  /** Changes when vectors or conversations are created. */
  fingerprint(memory: Memory): string;
  /** Undefined if there are none and the caller only reads. */
  openVectors(memory: Memory, kind: EmbeddedKind): VectorStore | undefined;
  /** Undefined if the memory has no conversations. */
  openMessages(memory: Memory): MessageTexts | undefined;
}

export interface OpenEmbedding extends Embedding {
  close(): void;
}

/** Vectors of several memories; each embedder and each memory is opened once. */
export function openEmbedding({ openEmbedder, fingerprint, openVectors, openMessages }: EmbeddingHost): OpenEmbedding {
  const embedders = new Map<string, Embedder>();
  const places = new Map<string, EmbeddedPlace>();
  const opened: { close(): void }[] = [];
  const closeLater = <T extends { close(): void } | undefined>(one: T): T => {
    if (one) opened.push(one);
    return one;
  };

  const embedderOf = (memory: Memory): Result<Embedder | undefined> => {
    const open = openEmbedder(memory);
    if (!open.ok || open.value === undefined) return open;
    const embedderKey = `${open.value.name} ${memory.config.get('embed.endpoint')}`;
    const known = embedders.get(embedderKey) ?? cachingLastQuestion(open.value);
    embedders.set(embedderKey, known);
    return ok(known);
  };

  const partsOf = (memory: Memory): EmbeddedPart[] => {
    const items = closeLater(openVectors(memory, 'items'));
    if (!items) return [];
    const parts: EmbeddedPart[] = [{ kind: 'items', source: itemTexts(memory.index), store: items }];
    const messages = closeLater(openMessages(memory));
    const messageVectors = messages?.isReadable ? closeLater(openVectors(memory, 'messages')) : undefined;
    if (!messages || !messageVectors) return parts;
    return [
      ...parts,
      { kind: 'messages', source: { chunks: (after, limit) => messages.texts(after, limit), count: () => messages.textCount() }, store: messageVectors },
    ];
  };

  return {
    of: (memory) => {
      const name = `${memory.key} ${fingerprint(memory)}`;
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
      for (const one of [...opened, ...embedders.values()]) one.close?.();
    },
  };
}
