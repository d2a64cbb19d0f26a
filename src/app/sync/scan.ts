import { hasConflictMarkers } from '../../core/record/conflict-markers.ts';
import { TEXT_CHARACTERS } from '../../core/limits.ts';
import type { JournalEntry, RootName } from '../../core/ports/store.ts';
import type { VersionCodec, VersionKind } from '../../core/ports/team/sync.ts';
import { redact } from '../../core/redact/text.ts';
import { checkSource } from '../../render/record.ts';
import { parseStored } from '../index/item.ts';
import { catchUp } from '../index/catch-up.ts';
import { syncedRole } from '../memory/layout.ts';
import type { Memory } from '../memory/memory.ts';
import type { SyncedItem, SyncState } from './state.ts';

/** The file of a record or document as it is now. */
export interface LocalFile {
  readonly path: string;
  readonly md5: string;
  readonly hash: string;
  readonly journaled: boolean;
  /** Absent if the server has this version. */
  readonly text?: string;
  /** Why it is neither sent nor replaced. */
  readonly blockedBecause?: string;
}

export interface LocalFiles {
  readonly files: ReadonlyMap<string, LocalFile>;
  /** Removed here since the last sync, by Holdfast. */
  readonly removed: ReadonlyMap<string, VersionKind>;
  /** Missing files that Holdfast did not remove: deleted by hand, or absent on the checked-out branch. By id. */
  readonly vanished: ReadonlyMap<string, string>;
}

/** The last journal entry for each path of a root. */
async function lastEntries({ store }: Memory, root: RootName): Promise<ReadonlyMap<string, JournalEntry | 'moved'>> {
  const last = new Map<string, JournalEntry | 'moved'>();
  for (const entry of await store.journal.entries()) {
    if (entry.root !== root) continue;
    last.set(entry.path, entry);
    if (entry.from !== undefined && entry.from !== entry.path) last.set(entry.from, 'moved');
  }
  return last;
}

/** Reads what changed in a root since the last sync; unchanged files are known by their MD5. */
export async function scanFiles(memory: Memory, root: RootName, state: SyncState, codec: VersionCodec): Promise<LocalFiles> {
  await catchUp(memory);
  const last = await lastEntries(memory, root);
  const files = new Map<string, LocalFile>();
  for (const { root: at, path, hash: md5 } of memory.index.files()) {
    if (at !== root || syncedRole({ root, path }).role === 'other') continue;
    const id = codec.idOf(path);
    const item = state.items.get(id);
    const facts = { path, journaled: last.has(path) };
    if (item?.md5 === md5 && item.base !== null) {
      files.set(id, { ...facts, md5, hash: item.base });
      continue;
    }
    const file = await memory.store.read({ root, path });
    if (!file) continue;
    const blockedBecause = blockReason(file, memory);
    files.set(id, { ...facts, md5: file.hash, hash: codec.hashOf(path, file.text), text: file.text, ...(blockedBecause !== undefined && { blockedBecause }) });
  }
  const removed = new Map<string, VersionKind>();
  const vanished = new Map<string, string>();
  for (const [id, item] of state.items) {
    if (item.path === undefined || files.has(id)) continue;
    const kind = removalKind(item, last.get(item.path));
    if (kind === undefined) vanished.set(id, item.path);
    else removed.set(id, kind);
  }
  return { files, removed, vanished };
}

/** How a file was removed; undefined if Holdfast did not remove it. Only forgetting removes a path from the journal. */
function removalKind({ journaled }: SyncedItem, entry: JournalEntry | 'moved' | undefined): VersionKind | undefined {
  if (entry === undefined) return journaled ? 'forgotten' : undefined;
  return entry === 'moved' || entry.after === undefined ? 'deleted' : undefined;
}

function blockReason(file: Parameters<typeof parseStored>[0], memory: Memory): string | undefined {
  const role = syncedRole(file);
  if (hasConflictMarkers(file.text)) return `two versions wait to be merged: holdfast merge ${file.path}${memory.key === 'user' ? ' --user' : ''}`;
  if (file.text.length > TEXT_CHARACTERS) return 'it is too large to send';
  if (role.role === 'other') return 'it is not the file of a record or document';
  const parsed = role.role === 'document' ? checkSource(file.text) : parseStored(file, role.category);
  if (!parsed.ok) return `it is not a readable ${role.role}: ${parsed.error.message}`;
  return redact(file.text).redactions.length > 0 ? 'it holds a secret: remove it with holdfast edit' : undefined;
}
