import type { MemoryRecord } from '../../core/record/schema.ts';
import { staleFiles } from '../read/staleness.ts';
import type { Memory } from '../memory/memory.ts';
import { masterLine, refOf, type Item } from './item.ts';

/** What was said against what is: decisions and limits whose files are gone or have changed since. */
export function driftOf(memory: Memory, records: readonly MemoryRecord[]): Item[] {
  return records.flatMap((record) => {
    if (record.category !== 'decision' && record.category !== 'constraint' && record.category !== 'runbook') return [];
    const gone = (record.related_files ?? []).filter((file) => !memory.projectFileExists(file));
    const changed = staleFiles(memory, record).filter((file) => !gone.includes(file));
    const parts = [
      ...(gone.length > 0 ? [`${gone.join(', ')} ${gone.length === 1 ? 'is' : 'are'} gone`] : []),
      ...(changed.length > 0 ? [`${changed.join(', ')} changed since`] : []),
    ];
    if (parts.length === 0) return [];
    return [
      {
        section: 'status' as const,
        text: masterLine(`Drift: ${record.title}: ${parts.join('; ')}`),
        ref: refOf(record),
        at: 0,
        topics: [],
        files: [...gone, ...changed],
      },
    ];
  });
}
