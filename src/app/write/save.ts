import { isAlike } from '../../capture/summary/text.ts';
import { resolveCud } from '../../core/lifecycle/candidate.ts';
import type { Category } from '../../core/record/category.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import type { Memory } from '../memory/memory.ts';
import { candidateFor } from './target.ts';
import { createRecord, type CreateRequest } from './create.ts';
import type { Written } from './written.ts';
import type { FileRef } from '../../core/ports/store.ts';
import type { MemoryRecord } from '../../core/record/schema.ts';
import { renderRecordFile } from '../../render/record-file.ts';
import { textWithoutSecrets } from '../read/without-secrets.ts';
import { folderIn } from '../memory/layout.ts';
import { currentRecord } from './current.ts';
import { journalName, writing, type Author } from './transaction.ts';

/** Named by their session or time, so that they need no candidate check. */
const NAMED_BY_SESSION: readonly Category[] = ['session_summary', 'subagent_report'];

/** Saves a record that a person asked for, after the candidate check; warns if another record says the same. */
export async function saveRecord(memory: Memory, request: CreateRequest): Promise<Result<Written>> {
  const { category, draft, root } = request;
  if (NAMED_BY_SESSION.includes(category)) return createRecord(memory, request);
  const title = typeof draft['title'] === 'string' ? draft['title'] : '';
  const tags = Array.isArray(draft['tags']) ? draft['tags'].join(' ') : '';
  const check = await candidateFor(memory, category, `${title} ${tags}`, undefined, root);
  if (!check.ok) return check;
  const { candidate, structural_cud: structural, pre_action: preAction, vetoes } = check.value;
  if (resolveCud({ structural, requested: 'CREATE', preAction, vetoes }) !== 'CREATE') {
    return refuse('VALIDATION_ERROR', vetoes[0] ?? `a ${category} may not be created now`);
  }
  const written = await createRecord(memory, request);
  if (!written.ok || candidate === null || written.value.place.path === candidate.path || !isAlike(candidate.title, title)) return written;
  const { warnings, record } = written.value;
  if (record.supersedes !== undefined) return written;
  return ok({ ...written.value, warnings: [...warnings, `${candidate.path} is about the same: update one of them and retire the other`] });
}

/** Moves a record between the private root and the one committed with the code. */
export function shareRecord(memory: Memory, from: FileRef, author: Author, to: 'shared' | 'private' = 'shared'): Promise<Result<Written>> {
  return writing(memory, author, async (write) => {
    if (!memory.store.roots.includes(to)) return refuse('USAGE_ERROR', `This memory has no ${to} root.`, { hint: 'run the command in a project' });
    const current = await currentRecord(memory, from);
    if (!current.ok) return current;
    const { record: old, layout, file } = current.value;
    const place = { root: to, path: `${folderIn(to, old.category)}/${from.path.slice(from.path.lastIndexOf('/') + 1)}` };
    const outcome = { place, file: memory.store.absolute(place), warnings: write.warnings, redactions: [] };
    if (from.root === to) return ok({ ...outcome, status: `already_${to}`, record: old, hash: file.hash });
    if (await memory.store.stat(place))
      return refuse('CREATE_OVERWRITE_ERROR', `${place.path} already exists in the ${to} root.`, { hint: 'retire or rename one of the two' });
    const record = { ...old, scope: to } as MemoryRecord;
    const text = textWithoutSecrets({ ...file, ...place, text: renderRecordFile(place.path, record, layout), hash: '' });
    const entry = await write.apply({ ...place, text, op: 'share', ...journalName(record) });
    await write.apply({ ...from, op: 'share', ...journalName(old) });
    return ok({ ...outcome, status: to, record, hash: entry.after ?? '' });
  });
}
