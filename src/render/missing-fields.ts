import { epochOf } from '../core/instant.ts';
import type { RecordHint } from './record.ts';

/** Fields for which null is a value; for other fields an empty key counts as absent. */
const NULLABLE = new Set(['related_files', 'confidence', 'changes', 'retired_at', 'retired_reason', 'archived_at', 'archived_reason']);

export const isAbsent = (key: string, value: unknown): boolean => value === undefined || (value === null && !NULLABLE.has(key));

const later = (created: unknown, changed: string): unknown =>
  typeof created === 'string' && (epochOf(created) ?? 0) > (epochOf(changed) ?? 0) ? created : changed;

/** Fills in the required fields that a file lacks; returns their names. */
export function fillMissing(draft: Record<string, unknown>, hint: RecordHint, createdAt: unknown): string[] {
  const filled: string[] = [];
  const fill = (key: string, value: unknown): void => {
    if (draft[key] !== undefined) return;
    draft[key] = value;
    filled.push(key);
  };
  const { tags } = draft;
  if (Array.isArray(tags) && tags.length === 0) delete draft['tags'];
  fill('schema_version', '1.0');
  fill('id', hint.id);
  fill('created_at', createdAt);
  fill('updated_at', later(draft['created_at'], hint.time));
  fill('tags', ['untagged']);
  return filled;
}
