import type { SyncStateFile, VersionKind } from '../../core/ports/team/sync.ts';
import { isObject } from '../../core/value.ts';

/** The state of one record on the server, as this machine knows it. */
export interface SyncedItem {
  /** Absent after a removal, because the path contains the title. */
  readonly path?: string;
  /** The version that the server has; null for none. */
  readonly base: string | null;
  /** Versions that it had, oldest first. */
  readonly known: readonly string[];
  /** MD5 of the local file while it is the base, so that an unchanged file need not be read. */
  readonly md5?: string;
  /** Sent, but not acknowledged. */
  readonly offered?: string;
  /** The journal names its file: if it no longer does, the record was forgotten. */
  readonly journaled?: true;
  /** The removal that both sides agreed on. */
  readonly removed?: { readonly kind: VersionKind; readonly hash: string };
}

export interface SyncState {
  cursor?: string | undefined;
  /** The server's position when it last acknowledged something. */
  tip?: string | undefined;
  readonly items: Map<string, SyncedItem>;
}

/** Enough to find a common version; a record that changed more often between two syncs is merged without one. */
const KNOWN_LIMIT = 50;

export const withKnown = (known: readonly string[], ...more: readonly (string | null)[]): readonly string[] => {
  const fresh = more.filter((hash) => hash !== null && !known.includes(hash)) as readonly string[];
  return [...known, ...new Set(fresh)].slice(-KNOWN_LIMIT);
};

/** A damaged state starts empty: the next sync compares all texts and loses none. */
export function readState(file: SyncStateFile): SyncState {
  const items = new Map<string, SyncedItem>();
  try {
    const value: unknown = JSON.parse(file.read() ?? '{}');
    if (!isObject(value)) return { items };
    for (const [id, item] of Object.entries(isObject(value['items']) ? value['items'] : {})) if (isItem(item)) items.set(id, item);
    const [cursor, tip] = [value['cursor'], value['tip']];
    return { items, ...(typeof cursor === 'string' && { cursor }), ...(typeof tip === 'string' && { tip }) };
  } catch (cause) {
    if (cause instanceof SyntaxError) return { items };
    throw cause;
  }
}

const isItem = (value: unknown): value is SyncedItem =>
  isObject(value) &&
  (value['base'] === null || typeof value['base'] === 'string') &&
  Array.isArray(value['known']) &&
  value['known'].every((hash) => typeof hash === 'string');

export const writeState = (file: SyncStateFile, { cursor, tip, items }: SyncState): void =>
  file.write(`${JSON.stringify({ ...(cursor !== undefined && { cursor }), ...(tip !== undefined && { tip }), items: Object.fromEntries(items) })}\n`);
