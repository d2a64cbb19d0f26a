import type { ItemFacts } from '../../core/ports/index.ts';
import type { MemoryRecord } from '../../core/record/schema.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { catchUp } from '../index/catch-up.ts';
import type { Memory } from '../memory/memory.ts';
import { currentRecord } from '../write/current.ts';
import { resolveItem } from './resolve.ts';
import { staleFiles } from './staleness.ts';

export interface Shown {
  readonly item: ItemFacts;
  /** Absent for a document. */
  readonly record?: MemoryRecord;
  readonly text: string;
  readonly hash: string;
  readonly file: string;
  /** Related files that have changed since the record was written. */
  readonly stale: readonly string[];
}

/** A record or document in full, read from its file. */
export async function show(memory: Memory, name: string): Promise<Result<Shown>> {
  await catchUp(memory);
  const item = await resolveItem(memory, name);
  if (!item.ok) return item;
  const stored = await memory.store.read(item.value);
  if (!stored) return refuse('NOT_FOUND', `${item.value.path} was deleted.`, { missing: true });
  const facts = { item: item.value, text: stored.text, hash: stored.hash, file: memory.store.absolute(item.value) };
  if (item.value.kind === 'document') return ok({ ...facts, stale: [] });
  const current = await currentRecord(memory, item.value);
  return current.ok ? ok({ ...facts, record: current.value.record, stale: staleFiles(memory, current.value.record) }) : current;
}
