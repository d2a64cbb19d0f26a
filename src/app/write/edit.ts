import { idOfStem } from '../../core/project/filename.ts';
import type { FileRef } from '../../core/ports/store.ts';
import { utcSeconds } from '../../core/instant.ts';
import { redact } from '../../core/redact/text.ts';
import { writtenTrust } from '../../core/trust/trust.ts';
import type { MemoryRecord } from '../../core/record/schema.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import type { ParsedRecord } from '../../render/record.ts';
import { parseRecordFile, renderRecordFile } from '../../render/record-file.ts';
import { roleOf, stemOf } from '../memory/layout.ts';
import type { Memory } from '../memory/memory.ts';
import { journalName, writing, type Author, type Writing } from './transaction.ts';
import type { FieldRedaction } from '../../core/redact/deep.ts';

export interface EditResult {
  readonly status: 'updated' | 'unchanged';
  readonly place: FileRef;
  readonly file: string;
  readonly hash: string;
  /** Absent for a document. */
  readonly record?: MemoryRecord;
  readonly warnings: readonly string[];
  readonly redactions: readonly FieldRedaction[];
}

/** Replaces the text of a record or document with its owner's edit. Only the form is checked: the owner may change anything. */
export function replaceText(memory: Memory, place: FileRef, text: string, readHash: string, author: Author): Promise<Result<EditResult>> {
  return writing(memory, author, (write) => replaceWithin(memory, write, { place, text, readHash, actor: author.actor }));
}

export interface Replacement {
  readonly place: FileRef;
  readonly text: string;
  /** MD5 of the file as it was opened. */
  readonly readHash: string;
  readonly actor: string;
}

/** The same within an open write. */
export async function replaceWithin(memory: Memory, write: Writing, { place, text, readHash, actor }: Replacement): Promise<Result<EditResult>> {
  const clean = redact(text);
  const redactions = clean.redactions.map(({ kind, start }) => ({ kind, field: `line ${text.slice(0, start).split('\n').length}` }));
  const current = await memory.store.read(place);
  if (current && current.hash !== readHash)
    return refuse('OCC_CONFLICT', `${place.path} has changed since it was opened.`, { hint: 'open it again and repeat the change' });
  const facts = { place, file: memory.store.absolute(place), warnings: write.warnings, redactions };
  const role = roleOf(place);
  const parsed =
    role.role === 'record'
      ? parseRecordFile(place.path, clean.text, { category: role.category, id: idOfStem(role.category, stemOf(place.path)), time: utcSeconds(memory.now()) })
      : undefined;
  if (parsed && !parsed.ok)
    return refuse(
      'VALIDATION_ERROR',
      `The edited text is not a valid record: ${parsed.error.message}`,
      parsed.error.fields ? { fields: parsed.error.fields } : {},
    );
  if (current?.text === clean.text) return ok({ ...facts, status: 'unchanged', hash: current.hash, ...(parsed && { record: parsed.value.record }) });
  const { record, text: next } = parsed ? withCappedTrust(place, clean.text, parsed.value, { actor }) : { text: clean.text };
  const entry = await write.apply({ ...place, text: next, op: 'update', ...(record ? journalName(record) : { id: place.path }) });
  return ok({ ...facts, status: 'updated', hash: entry.after ?? '', ...(record && { record }) });
}

/** The edited text, with its trust lowered to what its author may give. */
function withCappedTrust(
  place: FileRef,
  text: string,
  { record, layout }: ParsedRecord,
  { actor }: Author,
): { readonly record: MemoryRecord; readonly text: string } {
  const trust = writtenTrust(actor, record.trust);
  if (trust === undefined || trust === record.trust) return { record, text };
  const withTrust = { ...record, trust };
  return { record: withTrust, text: renderRecordFile(place.path, withTrust, layout) };
}
