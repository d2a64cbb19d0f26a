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
import { renderAll, renderSoon } from '../views/repair.ts';
import { currentRecord } from './current.ts';

/** Whatever an agent does – an update, an undo, a merge – a record is trusted no more afterwards than before, and a new one no more than the agent. */
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
  /** Replaces a file of state, which no undo takes back; the views follow at once. */
  state(place: FileRef, text: string): Promise<void>;
  folder(root: RootName, folder: string): Promise<void>;
  readonly warnings: string[];
}

/** The one way in which anything is written: lock, catch up with others, do the work, then index and views. */
export async function writing<T>(memory: Memory, author: Author, work: (writing: Writing) => Promise<T>): Promise<T> {
  if (memory.store.pendingErasures().length > 0) await memory.finishForgetting();
  return memory.store.write(author.actor, async (session) => {
    await refresh(memory, 'journal');
    await adoptStrangers(memory, session);
    const touched = new Set<RootName>();
    let stated = false;
    const warnings: string[] = [];
    const result = await work({
      warnings,
      folder: (root, folder) => session.folder(root, folder),
      state: (place, text) => {
        touched.add(place.root);
        stated = true;
        return session.state(place, text);
      },
      apply: async (requested) => {
        touched.add(requested.root);
        const change = await limitTrust(memory, author.actor, requested);
        return session.apply(author.reason === undefined ? change : { reason: author.reason, ...change });
      },
    });
    if (touched.size > 0) await settle(memory, session, touched, warnings, stated);
    return result;
  });
}

/** Adds journal entries for manual edits, and for files of a process that died before it wrote its entry. */
async function adoptStrangers(memory: Memory, session: WriteSession): Promise<void> {
  const strangers = memory.index.unjournaled();
  if (strangers.length === 0) return;
  for (const { root, path, hash, journaled } of strangers) {
    const stored = await memory.store.read({ root, path });
    // When a person removes a secret that they had added by hand, no copy of it is kept.
    if (stored) await session.adopt(stored, journaled === hash ? undefined : journaled, redact(stored.text).redactions.length === 0);
  }
  await refresh(memory, 'journal');
}

/** The change is on the disk and journalled: should the rest fail, the next command makes up for it. */
async function settle(memory: Memory, session: WriteSession, touched: ReadonlySet<RootName>, warnings: string[], now: boolean): Promise<void> {
  try {
    await refresh(memory, 'journal');
    await (now ? renderAll : renderSoon)(memory, session, touched);
  } catch (cause) {
    warnings.push(`saved, but the index or a view could not be brought up to date: ${(cause as Error).message}`);
  }
}

/** How a record's file is named in the journal. */
export const namedBy = (record: MemoryRecord): { readonly id: string; readonly title: string } => ({
  id: `${record.category}/${record.id}`,
  title: record.title,
});

export type Current = { readonly file: StoredFile; readonly record: MemoryRecord };
