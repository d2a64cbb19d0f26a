import { findCandidate, type CandidateAnswer } from '../../core/lifecycle/candidate.ts';
import type { RootName } from '../../core/ports/store.ts';
import type { Category } from '../../core/record/category.ts';
import type { Result } from '../../core/result.ts';
import { catchUp } from '../index/catch-up.ts';
import type { Memory } from '../memory/memory.ts';

/** Which active record new information is about, in all roots or in one. */
export async function candidateFor(memory: Memory, category: Category, newInfo: string, event?: string, root?: RootName): Promise<Result<CandidateAnswer>> {
  await catchUp(memory);
  const entries = memory.index
    .items({ kind: 'record', category, status: 'active', ...(root && { root }) })
    .map(({ path, title, tags }) => ({ path, title, tags }));
  return findCandidate(category, newInfo, entries, event);
}
