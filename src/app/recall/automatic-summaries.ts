import { isAutomaticSummary } from '../../core/trust/review.ts';
import type { Memory } from '../memory/memory.ts';
import { currentRecord } from '../write/current.ts';
import { summariesOf } from './master.ts';

/** The ids of the newest summaries that nobody has approved. */
export async function automaticSummaries(memory: Memory, most: number): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (const item of summariesOf(memory).slice(0, most)) {
    const current = await currentRecord(memory, item);
    if (current.ok && isAutomaticSummary(current.value.record)) ids.add(item.id);
  }
  return ids;
}
