import { epochOf } from '../../core/instant.ts';
import type { MemoryRecord } from '../../core/record/schema.ts';
import type { Memory } from '../memory/memory.ts';
import { staleFiles } from '../read/show.ts';
import { masterLine, refOf, type Item } from './item.ts';
import { topicsOf } from './theme.ts';

const timeOf = (record: MemoryRecord): number => epochOf(record.created_at) ?? 0;
const day = (record: MemoryRecord): string => record.created_at.slice(0, 10);

/** Maps each replaced record to its successor, by the links of either record. */
export function successors(records: readonly MemoryRecord[]): ReadonlyMap<MemoryRecord, MemoryRecord> {
  const find = (name: string): MemoryRecord | undefined => records.find((record) => refOf(record) === name || record.id === name);
  const next = new Map<MemoryRecord, MemoryRecord>();
  for (const record of records) {
    const later = record.superseded_by === undefined ? undefined : find(record.superseded_by);
    if (later && later !== record) next.set(record, later);
    for (const name of record.supersedes ?? []) {
      const earlier = find(name);
      if (earlier && earlier !== record && !next.has(earlier)) next.set(earlier, record);
    }
  }
  return next;
}

/** The history of each decision as "A → B → C", oldest first. */
export function evolutionOf(records: readonly MemoryRecord[]): Item[] {
  const next = successors(records);
  const replaced = new Set(next.values());
  return [...next.keys()]
    .filter((record) => !replaced.has(record))
    .toSorted((a, b) => timeOf(a) - timeOf(b))
    .map((first) => {
      const chain = [first];
      for (let step = next.get(first); step && !chain.includes(step); step = next.get(step)) chain.push(step);
      const last = chain.at(-1) ?? first;
      const text = chain
        .map((record, index) => `${index > 0 && record === last ? 'settled on ' : index > 0 ? 'tried ' : ''}${record.title} (${day(record)})`)
        .join(' → ');
      const files = last.related_files ?? [];
      return { section: 'evolution', text: masterLine(text), ref: refOf(last), at: timeOf(last), topics: topicsOf(text, last.tags, files), files };
    });
}

/** Decisions, constraints and runbooks whose files are missing or have changed. */
export function driftOf(memory: Memory, records: readonly MemoryRecord[]): Item[] {
  return records.flatMap((record) => {
    if (record.category !== 'decision' && record.category !== 'constraint' && record.category !== 'runbook') return [];
    const missing = (record.related_files ?? []).filter((file) => !memory.projectFileExists(file));
    const changed = staleFiles(memory, record).filter((file) => !missing.includes(file));
    const parts = [
      ...(missing.length > 0 ? [`${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} gone`] : []),
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
        files: [...missing, ...changed],
      },
    ];
  });
}
