import { archive, restore, retire, unarchive, type Transition } from '../../core/lifecycle/status.ts';
import type { FileRef } from '../../core/ports/store.ts';
import type { MemoryRecord } from '../../core/record/schema.ts';
import { redactDeep } from '../../core/redact/deep.ts';
import { redact } from '../../core/redact/text.ts';
import { mayConfirm, trustFrom } from '../../core/trust/trust.ts';
import { ok, refuse, type RefusalCode, type Result } from '../../core/result.ts';
import { renderRecordFile } from '../../render/record-file.ts';
import type { Memory } from '../memory/memory.ts';
import { currentRecord } from './current.ts';
import { journalName, writing, type Author, type Writing } from './transaction.ts';
import type { Written } from './written.ts';

export type StatusAction = 'retire' | 'restore' | 'archive' | 'unarchive' | 'confirm';

const MOVES: Readonly<
  Record<StatusAction, { readonly absent: RefusalCode; move(record: MemoryRecord, reason: string | undefined, now: number): Result<Transition> }>
> = {
  retire: { absent: 'DELETE_ERROR', move: retire },
  restore: { absent: 'RESTORE_ERROR', move: (record, _reason, now) => restore(record, now) },
  archive: { absent: 'ARCHIVE_ERROR', move: archive },
  unarchive: { absent: 'UNARCHIVE_ERROR', move: (record, _reason, now) => unarchive(record, now) },
  confirm: { absent: 'NOT_FOUND', move: confirm },
};

function confirm(record: MemoryRecord): Result<Transition> {
  return ok(record.trust === 'confirmed' ? { status: 'already_confirmed' } : { status: 'confirmed', record: { ...record, trust: trustFrom('person') } });
}

/** Changes a record's status or confirms it. */
export async function moveRecord(memory: Memory, action: StatusAction, place: FileRef, author: Author): Promise<Result<Written>> {
  if (action === 'confirm' && !mayConfirm(author.actor)) {
    return refuse('SECURITY_ERROR', 'Only a person may confirm a record, and this is the shell of an agent.', {
      hint: 'run holdfast confirm in a terminal of your own',
    });
  }
  const clean = author.reason === undefined ? undefined : redact(author.reason);
  const redactions = (clean?.redactions ?? []).map(({ kind }) => ({ kind, field: 'reason' }));
  return writing(memory, { ...author, ...(clean && { reason: clean.text }) }, async (write) => {
    const moved = await moveWithin(memory, write, action, place, clean?.text);
    return moved.ok ? ok({ ...moved.value, redactions }) : moved;
  });
}

/** The same within an open write. */
export async function moveWithin(memory: Memory, write: Writing, action: StatusAction, place: FileRef, reason?: string): Promise<Result<Written>> {
  const { absent, move } = MOVES[action];
  const current = await currentRecord(memory, place, absent);
  if (!current.ok) return current;
  const moved = move(current.value.asWritten, reason, memory.now());
  if (!moved.ok) return moved;
  const { file, layout } = current.value;
  const written = { status: moved.value.status, place, file: memory.store.absolute(place), warnings: write.warnings, redactions: [] };
  if (!moved.value.record) return ok({ ...written, record: current.value.record, hash: file.hash });
  const { reason: statusReason } = moved.value;
  // The file keeps what its owner typed; redact the copy for journal and result.
  const record = redactDeep(moved.value.record).value;
  const entry = await write.apply({
    ...place,
    text: renderRecordFile(place.path, moved.value.record, layout),
    op: action,
    ...journalName(record),
    ...(statusReason !== undefined && { reason: statusReason }),
  });
  return ok({ ...written, record, hash: entry.after ?? '', ...(statusReason !== undefined && { reason: statusReason }) });
}
