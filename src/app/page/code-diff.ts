import { redact } from '../../core/redact/text.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { unifiedDiff } from '../history/log.ts';
import type { Memory } from '../memory/memory.ts';
import { show } from '../read/show.ts';

/** The texts of a file: as it was when it had a blob hash, and as it is. */
type ReadVersions = (path: string, blob: string) => Promise<{ readonly before: string | undefined; readonly after: string | undefined }>;

/** How a file of the project changed since a record was written about it. Only files that the record itself names are read. */
export async function changedFile(memory: Memory, id: string, path: string, versions: ReadVersions): Promise<Result<{ readonly text: string }>> {
  const shown = await show(memory, id);
  if (!shown.ok) return shown;
  const evidence = shown.value.record?.evidence?.find((one) => one.path === path);
  if (evidence?.blob === undefined) return refuse('NOT_FOUND', `${id} does not say what ${path} was like.`, { missing: true });
  const { before, after } = await versions(path, evidence.blob);
  if (before === undefined || after === undefined)
    return refuse('NOT_FOUND', `Git no longer has ${path} as it was, or the file is gone.`, { missing: true, hint: 'git log shows what happened to it' });
  return ok({ text: unifiedDiff(redact(before).text, redact(after).text, `${path} (when the record was written)`, `${path} (now)`) });
}
