import { sameValue } from '../../core/value.ts';
import type { FileRef } from '../../core/ports/store.ts';
import type { MemoryRecord } from '../../core/record/schema.ts';
import { ok, refuse, type RefusalCode, type Result } from '../../core/result.ts';
import { parseStored, type StoredRecord } from '../index/item.ts';
import { roleOf } from '../memory/layout.ts';
import type { Memory } from '../memory/memory.ts';
import type { Current } from './transaction.ts';
import type { Written } from './written.ts';

export type CurrentRecord = Current & StoredRecord;

/** Reads a record from its file, which may be newer than the index. */
export async function currentRecord(memory: Memory, place: FileRef, absent: RefusalCode = 'NOT_FOUND'): Promise<Result<CurrentRecord>> {
  const role = roleOf(place);
  if (role.role !== 'record')
    return refuse('PATH_ERROR', `${place.path} is not the file of a record.`, { hint: 'records are .md or .json files in decisions/, runbooks/ and so on' });
  const file = await memory.store.read({ root: place.root, path: place.path });
  if (!file) return refuse(absent, `${place.path} does not exist.`, { missing: true, hint: 'find the record with holdfast search' });
  const parsed = parseStored(file, role.category);
  if (!parsed.ok)
    return refuse('READ_ERROR', `${place.path} cannot be read: ${parsed.error.message}`, {
      hint: parsed.error.hint ?? 'fix the file in an editor; nothing was changed',
    });
  return ok({ file, ...parsed.value });
}

const COMPARED_FIELDS = ['title', 'tags', 'related_files', 'content'] as const;

/** Whether two records have the same content, regardless of when and by whom they were saved. */
export const hasSameContent = (a: MemoryRecord, b: MemoryRecord): boolean => COMPARED_FIELDS.every((field) => sameValue(a[field] ?? [], b[field] ?? []));

/** Adds the current state of its related files to a record, to tell later whether they have changed. */
export function withEvidence(memory: Memory, record: MemoryRecord): MemoryRecord {
  const evidence = memory.evidenceOf(record.related_files ?? []);
  const { evidence: _old, ...rest } = record;
  return evidence.length === 0 ? rest : { ...rest, evidence };
}

/** The result of a write that changed nothing. */
export const unchangedResult = (memory: Memory, { record, file }: CurrentRecord): Written => ({
  status: 'unchanged',
  record,
  place: { root: file.root, path: file.path },
  file: memory.store.absolute(file),
  hash: file.hash,
  warnings: [],
  redactions: [],
});
