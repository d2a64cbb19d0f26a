import { sameValue } from '../../core/value.ts';
import { utcSeconds } from '../../core/instant.ts';
import type { Draft } from '../../core/record/draft.ts';
import { cleanTags } from '../../core/record/repair.ts';
import { TAG_CAP, type MemoryRecord } from '../../core/record/schema.ts';

/** Open work is replaced as a whole: only its last version is true. */
const STATE: readonly string[] = ['in_progress', 'blockers', 'next_actions'];

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const appended = (old: readonly unknown[], more: readonly unknown[]): readonly unknown[] => [
  ...old,
  ...more.filter((item, at) => !old.some((known) => sameValue(known, item)) && more.findIndex((other) => sameValue(other, item)) === at),
];

function mergedContent(old: MemoryRecord, content: unknown): Readonly<Record<string, unknown>> {
  const before = old.content as Readonly<Record<string, unknown>>;
  const news = content !== null && typeof content === 'object' ? (content as Readonly<Record<string, unknown>>) : {};
  const merged = Object.entries(news).map(([key, value]): [string, unknown] => {
    if (!Array.isArray(value)) return [key, typeof value === 'string' && value.trim() === '' ? (before[key] ?? value) : value];
    return [key, old.category === 'session_summary' && STATE.includes(key) ? value : appended(listOf(before[key]), value)];
  });
  return { ...before, ...Object.fromEntries(merged) };
}

/** The next version of a record: appends list items, joins tags, replaces other fields, notes the change. */
export function nextVersion(old: MemoryRecord, draft: Draft, summary: string, now: number): Draft {
  const title = draft['title'];
  const tags = [...new Set([...old.tags, ...cleanTags(listOf(draft['tags'])).filter((tag) => tag !== 'untagged')])];
  return {
    ...old,
    ...(typeof title === 'string' && title.trim() !== '' && { title }),
    // Keep the old ones: below the limit nothing may be dropped.
    tags: tags.slice(0, TAG_CAP),
    related_files: appended(old.related_files ?? [], listOf(draft['related_files'])),
    ...(typeof draft['confidence'] === 'number' && { confidence: draft['confidence'] }),
    content: mergedContent(old, draft['content']),
    changes: [...(old.changes ?? []), { date: utcSeconds(now), summary: summary.slice(0, 300) || 'Updated from a session' }],
  };
}
