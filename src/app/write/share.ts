import type { FileRef } from '../../core/ports/store.ts';
import type { MemoryRecord } from '../../core/record/schema.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { renderRecordFile } from '../../render/record-file.ts';
import { textWithoutSecrets } from '../read/without-secrets.ts';
import { folderIn } from '../memory/layout.ts';
import type { Memory } from '../memory/memory.ts';
import { currentRecord } from './current.ts';
import { namedBy, writing, type Author } from './transaction.ts';
import type { Written } from './written.ts';

/** Moves a record between the private root and the one committed with the code. */
export function shareRecord(memory: Memory, from: FileRef, author: Author, to: 'shared' | 'private' = 'shared'): Promise<Result<Written>> {
  return writing(memory, author, async (write) => {
    if (!memory.store.roots.includes(to)) return refuse('USAGE_ERROR', `This memory has no ${to} root.`, { hint: 'run the command in a project' });
    const current = await currentRecord(memory, from);
    if (!current.ok) return current;
    const { record: old, layout, file } = current.value;
    const place = { root: to, path: `${folderIn(to, old.category)}/${from.path.slice(from.path.lastIndexOf('/') + 1)}` };
    const said = { place, file: memory.store.absolute(place), warnings: write.warnings, redactions: [] };
    if (from.root === to) return ok({ ...said, status: `already_${to}`, record: old, hash: file.hash });
    if (await memory.store.stat(place))
      return refuse('CREATE_OVERWRITE_ERROR', `${place.path} already exists in the ${to} root.`, { hint: 'retire or rename one of the two' });
    const record = { ...old, scope: to } as MemoryRecord;
    const text = textWithoutSecrets({ ...file, ...place, text: renderRecordFile(place.path, record, layout), hash: '' });
    const entry = await write.apply({ ...place, text, op: 'share', ...namedBy(record) });
    await write.apply({ ...from, op: 'share', ...namedBy(old) });
    return ok({ ...said, status: to, record, hash: entry.after ?? '' });
  });
}
