/**
 * A chunk's number says where it stands, so that a list of numbers is all that ranking reads of the matches: the unit it belongs to
 * (a session, a record, a document), its place there in terms from the start, its size in terms and its kind. 53 bits, a safe integer.
 */
export const CHUNK_KINDS = ['prompt', 'reply', 'said', 'command', 'code', 'title', 'body', 'files'] as const;
export type ChunkKind = (typeof CHUNK_KINDS)[number];

const KINDS = 8;
const SIZES = 64;
const PLACES = 2 ** 22;
const LOW = KINDS * SIZES;
export const UNIT_SPAN = LOW * PLACES;

export const LARGEST_SIZE = SIZES - 1;
export const LARGEST_PLACE = PLACES - 1;

export const chunkId = (unit: number, place: number, size: number, kind: ChunkKind): number =>
  unit * UNIT_SPAN + Math.min(place, LARGEST_PLACE) * LOW + Math.min(size, LARGEST_SIZE) * KINDS + KIND_NUMBER[kind];

export const unitOf = (id: number): number => Math.floor(id / UNIT_SPAN);
export const chunkPlace = (id: number): number => Math.floor((id % UNIT_SPAN) / LOW);
export const chunkSize = (id: number): number => Math.floor((id % LOW) / KINDS);
export const chunkKind = (id: number): ChunkKind => CHUNK_KINDS[id % KINDS] as ChunkKind;
/** The kind as a number, for loops over many. */
export const kindNumberOf = (id: number): number => id % KINDS;

export const KIND_NUMBER: Readonly<Record<ChunkKind, number>> = { prompt: 0, reply: 1, said: 2, command: 3, code: 4, title: 5, body: 6, files: 7 };

/** The numbers that chunks of the same unit within `reach` terms of a chunk can have. */
export function stretchAround(id: number, reach: number): readonly [number, number] {
  const start = unitOf(id) * UNIT_SPAN;
  return [Math.max(start, id - (reach + SIZES) * LOW), Math.min(start + UNIT_SPAN - 1, id + (reach + chunkSize(id) + 1) * LOW)];
}
