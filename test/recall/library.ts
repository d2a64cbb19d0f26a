import type { Message } from '../../src/core/episode/episode.ts';
import { epochOf } from '../../src/core/instant.ts';
import type { UnitRow } from '../../src/recall/port.ts';
import { episodeRows, type IndexedChunk } from '../../src/recall/chunks/message-rows.ts';
import { packedRows } from '../../src/recall/chunks/packed-texts.ts';
import { type ScoredHit, rankChunks, type RankRequest } from '../../src/recall/rank/rank-chunks.ts';
import { MemoryIndex } from './memory-index.ts';

const NOW = Date.UTC(2026, 5, 17, 12);

export interface KeptText {
  readonly id: string;
  readonly title: string;
  readonly body?: string;
  readonly tags?: readonly string[];
  readonly files?: readonly string[];
  readonly at?: string;
  readonly row?: Partial<UnitRow>;
}

/** Anything that units can be put into. */
export interface Writable {
  add(row: UnitRow, chunks: readonly IndexedChunk[]): unknown;
}

/** Puts records and sessions into an index as the application does. */
export class Library<T extends Writable = MemoryIndex> {
  readonly index: T;
  #next = 0;

  constructor(index: T) {
    this.index = index;
  }

  record({ id, title, body = '', tags = [], files = [], at = '2026-06-01', row = {} }: KeptText): this {
    const unit = this.#next++;
    const rows = packedRows(unit, { title, tags, body, files });
    const when = Date.parse(at);
    this.index.add(
      {
        unit,
        type: 'record',
        id,
        title,
        size: rows.size,
        startedAt: when,
        endedAt: when,
        status: 'active',
        trust: 'observed',
        category: 'decision',
        files,
        ...row,
      },
      rows.chunks,
    );
    return this;
  }

  session(id: string, messages: readonly (Partial<Message> & { readonly text: string })[], row: Partial<UnitRow> = {}): this {
    const unit = this.#next++;
    const whole = messages.map((message, nth): Message => ({ id: `${id}:${nth + 1}`, sessionId: id, role: 'assistant', ...message }));
    const rows = episodeRows(unit, whole);
    const times = whole.flatMap(({ at }) => epochOf(at) ?? []);
    this.index.add(
      {
        unit,
        type: 'session',
        id,
        title: id,
        size: rows.size,
        ...(times.length === 0 ? {} : { startedAt: times[0] as number, endedAt: times.at(-1) as number }),
        ...row,
      },
      rows.chunks,
    );
    return this;
  }
}

export const library = (): Library => new Library(new MemoryIndex());

export async function ask(from: Library | readonly Library[], text: string, more: Partial<RankRequest> = {}): Promise<readonly ScoredHit[]> {
  const libraries = from instanceof Library ? [from] : from;
  const { hits } = await rankChunks(
    libraries.map(({ index }, distance) => ({ index, distance })),
    { text, limit: 10, now: NOW, ...more },
  );
  return hits;
}

/** Record ids and message ids, as ranked. */
export const named = (hits: readonly ScoredHit[]): readonly string[] => hits.map(({ candidate }) => candidate.chunk.messageId ?? candidate.row.id);
