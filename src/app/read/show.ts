import type { MemoryRecord } from '../../core/record/schema.ts';
import type { Memory } from '../memory/memory.ts';
import type { ItemFacts } from '../../core/ports/index.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { catchUp } from '../index/catch-up.ts';
import { currentRecord } from '../write/current.ts';
import { resolveItem } from './resolve.ts';
import { readRedacted } from './redacted.ts';

/** Related files whose content is no longer what it was when the record was written. */
export function staleFiles(memory: Memory, record: MemoryRecord): string[] {
  const evidence = record.evidence ?? [];
  if (evidence.length === 0) return [];
  const now = new Map(memory.evidenceOf(evidence.map(({ path }) => path)).map(({ path, blob }) => [path, blob]));
  return evidence.filter(({ path, blob }) => blob !== undefined && now.get(path) !== blob).map(({ path }) => path);
}

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

/** A record or document in full, read from its file, without secrets. */
export async function show(memory: Memory, name: string): Promise<Result<Shown>> {
  await catchUp(memory);
  const item = await resolveItem(memory, name);
  if (!item.ok) return item;
  const stored = await readRedacted(memory, item.value);
  if (!stored) return refuse('NOT_FOUND', `${item.value.path} was deleted.`, { missing: true });
  const facts = { item: item.value, text: stored.text, hash: stored.hash, file: memory.store.absolute(item.value) };
  if (item.value.kind === 'document') return ok({ ...facts, stale: [] });
  const current = await currentRecord(memory, item.value);
  return current.ok ? ok({ ...facts, record: current.value.record, stale: staleFiles(memory, current.value.record) }) : current;
}
