import type { MemoryRecord } from '../../core/record/schema.ts';
import type { Memory } from '../memory/memory.ts';

/** The record with the state of its related files at this moment, to tell later whether they have moved on. */
export function withEvidence(memory: Memory, record: MemoryRecord): MemoryRecord {
  const evidence = memory.evidenceOf(record.related_files ?? []);
  const { evidence: _old, ...rest } = record;
  return evidence.length === 0 ? rest : { ...rest, evidence };
}
