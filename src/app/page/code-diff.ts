import { redact } from '../../core/redact/text.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { unifiedDiff } from '../history/log.ts';
import type { Memory } from '../memory/memory.ts';
import { show } from '../read/show.ts';

/** The text of a file at a blob hash, and its current text. */
type ReadVersions = (path: string, blob: string) => Promise<{ readonly before: string | undefined; readonly after: string | undefined }>;

/** How a file of the project changed since a record was written. Only files that the record names are read. */
export async function changedFile(memory: Memory, id: string, path: string, versions: ReadVersions): Promise<Result<{ readonly text: string }>> {
  const record = await show(memory, id);
  if (!record.ok) return record;
  const evidence = record.value.record?.evidence?.find((one) => one.path === path);
  if (evidence?.blob === undefined) return refuse('NOT_FOUND', `${id} holds no version of ${path}.`, { missing: true });
  const { before, after } = await versions(path, evidence.blob);
  if (before === undefined || after === undefined)
    return refuse('NOT_FOUND', `Git no longer has that version of ${path}, or the file was removed.`, {
      missing: true,
      hint: 'git log shows what happened to it',
    });
  return ok({ text: unifiedDiff(redact(before).text, redact(after).text, `${path} (when the record was written)`, `${path} (now)`) });
}
