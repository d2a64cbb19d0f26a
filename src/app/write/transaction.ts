import { utcSeconds } from '../../core/instant.ts';
import type { FileChange, JournalEntry, FileRef, RootName, StoredFile, WriteSession } from '../../core/ports/store.ts';
import { idOfStem } from '../../core/project/filename.ts';
import type { MemoryRecord } from '../../core/record/schema.ts';
import { redact } from '../../core/redact/text.ts';
import { HIGHEST_TRUST, lowerTrust, sourceOfActor, trustFrom } from '../../core/trust/trust.ts';
import { parseRecordFile, renderRecordFile } from '../../render/record-file.ts';
import { refresh } from '../index/refresh.ts';
import { roleOf, stemOf } from '../memory/layout.ts';
import type { Memory } from '../memory/memory.ts';
import { renderAll, renderAfterWrite } from '../views/repair.ts';
import { currentRecord } from './current.ts';

/** No action of an agent raises a record's trust, and a new record gets no more trust than the agent has. */
async function limitTrust(memory: Memory, actor: string, change: FileChange): Promise<FileChange> {
  const source = sourceOfActor(actor);
  const role = roleOf(change);
  if ((source !== 'agent-shell' && source !== 'agent-asked') || change.text === undefined || role.role !== 'record') return change;
  const next = parseRecordFile(change.path, change.text, {
    category: role.category,
    id: idOfStem(role.category, stemOf(change.path)),
    time: utcSeconds(memory.now()),
  });
  if (!next.ok) return change;
  const { record, layout } = next.value;
  const claimed = record.trust ?? trustFrom('capture');
  const before = await currentRecord(memory, change);
  const trust = lowerTrust(claimed, before.ok ? before.value.record.trust : HIGHEST_TRUST[source]);
  return trust === claimed ? change : { ...change, text: renderRecordFile(change.path, { ...record, trust }, layout) };
}

/** The author and the reason of a write; kept in the journal with every change. */
export interface Author {
  readonly actor: string;
  readonly reason?: string;
}

/** A write in progress, with the lock held and the index up to date. */
export interface Writing {
  apply(change: FileChange): Promise<JournalEntry>;
  /** Replaces a state file, which undo does not revert; the views are rendered at once. */
  state(place: FileRef, text: string): Promise<void>;
  folder(root: RootName, folder: string): Promise<void>;
  readonly warnings: string[];
}

/** Every write goes through here: lock, catch up with other writers, do the work, update index and views. */
export async function writing<T>(memory: Memory, author: Author, work: (writing: Writing) => Promise<T>): Promise<T> {
  if (memory.store.pendingErasures().length > 0) await memory.finishForgetting();
  return memory.store.write(author.actor, async (session) => {
    await refresh(memory, 'journal');
    await journalManualEdits(memory, session);
    const touched = new Set<RootName>();
    let hasStateChange = false;
    const warnings: string[] = [];
    const result = await work({
      warnings,
      folder: (root, folder) => session.folder(root, folder),
      state: (place, text) => {
        touched.add(place.root);
        hasStateChange = true;
        return session.state(place, text);
      },
      apply: async (requested) => {
        touched.add(requested.root);
        const change = await limitTrust(memory, author.actor, requested);
        return session.apply(author.reason === undefined ? change : { reason: author.reason, ...change });
      },
    });
    if (touched.size > 0) await updateIndexAndViews(memory, session, touched, warnings, hasStateChange);
    return result;
  });
}

/** Adds journal entries for manual edits, and for files of a process that died before it wrote its entry. */
async function journalManualEdits(memory: Memory, session: WriteSession): Promise<void> {
  const unjournaled = memory.index.unjournaled();
  if (unjournaled.length === 0) return;
  for (const { root, path, hash, journaled } of unjournaled) {
    const stored = await memory.store.read({ root, path });
    // Keep no version of a text with a secret, so that removing the secret by hand removes it everywhere.
    if (stored) await session.adopt(stored, journaled === hash ? undefined : journaled, redact(stored.text).redactions.length === 0);
  }
  await refresh(memory, 'journal');
}

/** The change is already stored and journalled: if this fails, the next command repairs index and views. */
async function updateIndexAndViews(
  memory: Memory,
  session: WriteSession,
  touched: ReadonlySet<RootName>,
  warnings: string[],
  rendersNow: boolean,
): Promise<void> {
  try {
    await refresh(memory, 'journal');
    await (rendersNow ? renderAll : renderAfterWrite)(memory, session, touched);
  } catch (cause) {
    warnings.push(`saved, but the index or a view could not be brought up to date: ${(cause as Error).message}`);
  }
}

/** A record's id and title for the journal. */
export const journalName = (record: MemoryRecord): { readonly id: string; readonly title: string } => ({
  id: `${record.category}/${record.id}`,
  title: record.title,
});

export type Current = { readonly file: StoredFile; readonly record: MemoryRecord };
