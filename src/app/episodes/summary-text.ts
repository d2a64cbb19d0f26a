import { utcSeconds } from '../../core/instant.ts';
import { idOfStem } from '../../core/project/filename.ts';
import type { Draft } from '../../core/record/draft.ts';
import { ok, type Result } from '../../core/result.ts';
import { parseRecordFile } from '../../render/record-file.ts';

/** A summary in the form in which it is shown for review: `# title`, `## Context`, `## Tracking Points`, files. Undefined for any other text. */
export function summaryFromText(sessionId: string, text: string, now: number): Result<Draft | undefined> {
  if (!/^\s*# \S/.test(text)) return ok(undefined);
  const hint = { category: 'session_summary', id: idOfStem('session_summary', sessionId), time: utcSeconds(now) } as const;
  const parsed = parseRecordFile('summary.md', `${text.trim()}\n`, hint);
  if (!parsed.ok) return parsed;
  const { title, related_files: files, content } = parsed.value.record;
  return ok({ title, content, ...(files && { related_files: files }) });
}
