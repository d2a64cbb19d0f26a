import { utcSeconds } from '../../core/instant.ts';
import { idOfStem } from '../../core/project/filename.ts';
import { ok, type Result } from '../../core/result.ts';
import { parseRecordFile } from '../../render/record-file.ts';
import type { Draft } from '../../core/record/draft.ts';
import type { ContentOf } from '../../core/record/schema.ts';

const list = (label: string, items: readonly string[] | undefined): string[] => (items ?? []).map((item) => `- ${label}: ${item}`);

/** The text of a summary for review: `# title`, `## Context`, `## Tracking Points`, files. `summaryFromText` parses it. */
export function reviewText(draft: Draft): string {
  const content = draft['content'] as ContentOf<'session_summary'>;
  const files = Array.isArray(draft['related_files']) ? (draft['related_files'] as readonly string[]) : [];
  const points = [
    ...(content.tracking_points ?? []).map(({ label, text }) => `- ${label}: ${text}`),
    ...list('Done', content.completed),
    ...list('Under way', content.in_progress),
    ...list('Blocked', content.blockers),
    ...list('Next', content.next_actions),
  ];
  return [
    `# ${String(draft['title'])}`,
    `## Context\n\n${content.goal}${content.context === undefined || content.context === content.goal ? '' : `\n${content.context}`}\nOutcome: ${content.outcome}.`,
    ...(points.length === 0 ? [] : [`## Tracking Points\n\n${points.join('\n')}`]),
    ...(files.length === 0 ? [] : [`## Related Files/Artifacts\n\n${files.map((file) => `- ${file}`).join('\n')}`]),
  ].join('\n\n');
}

/** Parses a summary in the form of `reviewText`; undefined for any other text. */
export function summaryFromText(sessionId: string, text: string, now: number): Result<Draft | undefined> {
  if (!/^\s*# \S/.test(text)) return ok(undefined);
  const hint = { category: 'session_summary', id: idOfStem('session_summary', sessionId), time: utcSeconds(now) } as const;
  const parsed = parseRecordFile('summary.md', `${text.trim()}\n`, hint);
  if (!parsed.ok) return parsed;
  const { title, related_files: files, content } = parsed.value.record;
  return ok({ title, content, ...(files && { related_files: files }) });
}
