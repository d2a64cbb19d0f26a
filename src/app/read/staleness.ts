import type { MemoryRecord } from '../../core/record/schema.ts';
import type { Memory } from '../memory/memory.ts';

/** Related files whose content is no longer what it was when the record was written. */
export function staleFiles(memory: Memory, record: MemoryRecord): string[] {
  const then = record.evidence ?? [];
  if (then.length === 0) return [];
  const now = new Map(memory.evidenceOf(then.map(({ path }) => path)).map(({ path, blob }) => [path, blob]));
  return then.filter(({ path, blob }) => blob !== undefined && now.get(path) !== blob).map(({ path }) => path);
}
