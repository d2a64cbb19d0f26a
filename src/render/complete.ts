import { epochOf } from '../core/instant.ts';
import type { RecordHint } from './record.ts';

/** Where an empty value is a value; elsewhere a key that a person left empty is as good as none. */
const NULLABLE = new Set(['related_files', 'confidence', 'changes', 'retired_at', 'retired_reason', 'archived_at', 'archived_reason']);

export const isLeftEmpty = (key: string, value: unknown): boolean => value === undefined || (value === null && !NULLABLE.has(key));

const later = (a: string, b: string): string => ((epochOf(b) ?? 0) > (epochOf(a) ?? 0) ? b : a);

/** Fills in the fields every record has that a file leaves out; returns their names. */
export function complete(draft: Record<string, unknown>, hint: RecordHint, createdAt: string): string[] {
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
  fill('updated_at', later(String(draft['created_at']), hint.time));
  fill('tags', ['untagged']);
  return filled;
}
