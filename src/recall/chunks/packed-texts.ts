import { analyze } from '../text/analyze.ts';
import { chunkId, type ChunkKind, LARGEST_SIZE, cutsOf } from './split-text.ts';
import type { IndexedChunk, IndexedRows } from './message-rows.ts';

/** The texts by which a record or a document is found. */
export interface PackedTexts {
  readonly title: string;
  readonly tags: readonly string[];
  readonly body: string;
  readonly files: readonly string[];
}

const KINDS: readonly ChunkKind[] = ['title', 'body', 'files'];

/**
 * One line for each chunk: its kind, where it ends, its terms. Title and tags come first, then the body, then the files. Made when a file is indexed, so
 * that a search need not analyse its hits.
 */
export function packTexts({ title, tags, body, files }: PackedTexts): string {
  const lines: string[] = [];
  const add = (kind: number, end: number, terms: readonly string[]): void => {
    if (terms.length > 0) lines.push(`${kind} ${end} ${terms.join(' ')}`);
  };
  add(0, title.length, analyze(`${title} ${tags.join(' ')}`).slice(0, LARGEST_SIZE));
  for (const { end, terms } of cutsOf(body)) add(1, end, terms);
  for (const { end, terms } of cutsOf(files.join('\n'))) add(2, end, terms);
  return lines.join('\n');
}

/** The terms of packed texts in their order: of title and tags, of the body, and of the files. */
export function packedTerms(packed: string): Readonly<Record<'head' | 'body' | 'files', readonly string[]>> {
  const terms: [string[], string[], string[]] = [[], [], []];
  for (const line of packed.split('\n')) terms[Number(line[0]) as 0 | 1 | 2]?.push(...line.split(' ').slice(2));
  return { head: terms[0], body: terms[1], files: terms[2] };
}

/** The index rows of a record or a document from its packed texts. */
export function unpackTexts(unit: number, packed: string, { title, body, files }: Omit<PackedTexts, 'tags'>): IndexedRows {
  const chunks: IndexedChunk[] = [];
  const [texts, starts] = [
    [title, body, files.join('\n')],
    [0, 0, 0],
  ];
  let place = 0;
  for (const line of packed === '' ? [] : packed.split('\n')) {
    const [kind, end, ...terms] = line.split(' ');
    const nth = Number(kind);
    const text = texts[nth]?.slice(starts[nth], Number(end)).trim() ?? '';
    starts[nth] = Number(end);
    chunks.push({ id: chunkId(unit, place, terms.length, KINDS[nth] ?? 'body'), text, terms });
    place += terms.length;
  }
  return { chunks, nextPlace: place, size: place };
}

/** The same from texts that are not packed yet. */
export const packedRows = (unit: number, texts: PackedTexts): IndexedRows => unpackTexts(unit, packTexts(texts), texts);
