import { isAlike } from '../../capture/summary/text.ts';
import { resolveCud } from '../../core/lifecycle/cud.ts';
import type { Category } from '../../core/record/category.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import type { Memory } from '../memory/memory.ts';
import { candidateFor } from './target.ts';
import { createRecord, type CreateRequest } from './create.ts';
import type { Written } from './written.ts';

/** Known by their session or their time, and never one for another. */
const NAMED: readonly Category[] = ['session_summary', 'subagent_report'];

/** Saves what a person asked for, after the candidate check; names a record that already says it. */
export async function saveRecord(memory: Memory, request: CreateRequest): Promise<Result<Written>> {
  const { category, draft, root } = request;
  if (NAMED.includes(category)) return createRecord(memory, request);
  const title = typeof draft['title'] === 'string' ? draft['title'] : '';
  const tags = Array.isArray(draft['tags']) ? draft['tags'].join(' ') : '';
  const looked = await candidateFor(memory, category, `${title} ${tags}`, undefined, root);
  if (!looked.ok) return looked;
  const { candidate, structural_cud: structural, pre_action: preAction, vetoes } = looked.value;
  if (resolveCud({ structural, wish: 'CREATE', preAction, vetoes }) !== 'CREATE') {
    return refuse('VALIDATION_ERROR', vetoes[0] ?? `a ${category} may not be created now`);
  }
  const written = await createRecord(memory, request);
  if (!written.ok || candidate === null || written.value.place.path === candidate.path || !isAlike(candidate.title, title)) return written;
  const { warnings } = written.value;
  return ok({ ...written.value, warnings: [...warnings, `${candidate.path} is about the same: update one of them and retire the other`] });
}
