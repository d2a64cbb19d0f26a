import { epochOf } from '../core/instant.ts';
import type { RecordHint } from './record.ts';

/** Where an empty value is a value; elsewhere a key that a person left empty is as good as none. */
const NULLABLE = new Set(['related_files', 'confidence', 'changes', 'retired_at', 'retired_reason', 'archived_at', 'archived_reason']);

export const isLeftEmpty = (key: string, value: unknown): boolean => value === undefined || (value === null && !NULLABLE.has(key));

const later = (created: unknown, changed: string): unknown =>
  typeof created === 'string' && (epochOf(created) ?? 0) > (epochOf(changed) ?? 0) ? created : changed;

/** Fills in the fields every record has that a file leaves out; returns their names. */
export function complete(draft: Record<string, unknown>, hint: RecordHint, createdAt: unknown): string[] {
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
