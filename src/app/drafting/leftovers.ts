import { daysInMs } from '../../core/instant.ts';
import type { Leftover, Leftovers } from '../../core/ports/staging.ts';
import type { Memory } from '../memory/memory.ts';

export interface Cleared {
  readonly staged: readonly Leftover[];
  /** Days that a staged draft waits to be saved; 0 keeps all. */
  readonly keepDays: number;
}

/** Deletes staged drafts older than the limit. */
export async function clearLeftovers({ config, now }: Memory, leftovers: Leftovers, dryRun: boolean): Promise<Cleared> {
  const keepDays = config.get('staging.keepDays');
  if (keepDays === 0) return { staged: [], keepDays };
  const staged = await leftovers.olderThan(now() - daysInMs(keepDays));
  if (!dryRun) for (const leftover of staged) await leftovers.remove(leftover);
  return { staged, keepDays };
}
