import { analyze } from '../analyze.ts';
import { chunkId, type ChunkKind, LARGEST_SIZE } from '../chunk-id.ts';
import type { IndexedChunk, IndexedRows } from './episode.ts';
import { piecesOf } from './pieces.ts';

/** What a record or a document is found by. */
export interface KeptTexts {
  readonly title: string;
  readonly tags: readonly string[];
  readonly body: string;
  readonly files: readonly string[];
}

/** The index rows of a record or a document: title and tags, body, and the files it is about. */
export function keptRows(unit: number, { title, tags, body, files }: KeptTexts): IndexedRows {
  const chunks: IndexedChunk[] = [];
  let place = 0;
  const add = (kind: ChunkKind, text: string, terms: readonly string[]): void => {
    if (terms.length === 0) return;
    chunks.push({ id: chunkId(unit, place, terms.length, kind), text, terms });
    place += terms.length;
  };
  add('title', title, analyze(`${title} ${tags.join(' ')}`).slice(0, LARGEST_SIZE));
  for (const piece of piecesOf(body)) add('body', piece.text, piece.terms);
  for (const piece of piecesOf(files.join('\n'))) add('files', piece.text, piece.terms);
  return { chunks, nextPlace: place, size: place };
}
