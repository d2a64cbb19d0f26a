import type { Category } from '../record/category.ts';
import { refuse, ok, type Result } from '../result.ts';

/** `Structural` is the set of actions that the memory allows, `Action` the one that a drafter requests. The memory decides. */
export type Structural = 'CREATE' | 'UPDATE' | 'UPDATE_OR_DELETE' | 'NOOP' | 'VETO';
export type Action = 'CREATE' | 'UPDATE' | 'DELETE' | 'NOOP';

const TABLE: Readonly<Record<Exclude<Structural, 'NOOP' | 'VETO'>, Readonly<Record<Action, Action>>>> = {
  CREATE: { CREATE: 'CREATE', UPDATE: 'CREATE', DELETE: 'NOOP', NOOP: 'NOOP' },
  UPDATE_OR_DELETE: { CREATE: 'CREATE', UPDATE: 'UPDATE', DELETE: 'DELETE', NOOP: 'NOOP' },
  UPDATE: { CREATE: 'CREATE', UPDATE: 'UPDATE', DELETE: 'UPDATE', NOOP: 'NOOP' },
};

export interface CudQuestion {
  readonly structural: Structural;
  readonly requested: Action;
  readonly preAction?: 'CREATE' | 'NOOP' | null;
  readonly vetoes?: readonly string[];
}

/** The action to take: the structural result overrides the drafter's, and a veto or NOOP is final. */
export function resolveCud({ structural, requested, preAction, vetoes = [] }: CudQuestion): Action {
  if (vetoes.length > 0 || structural === 'VETO' || structural === 'NOOP' || preAction === 'NOOP') return 'NOOP';
  return TABLE[structural][requested];
}

/** The fields of an active record for the search for a candidate. */
export interface CandidateEntry {
  readonly path: string;
  readonly title: string;
  readonly tags: readonly string[];
}

export interface CandidateAnswer {
  readonly candidate: CandidateEntry | null;
  readonly score: number;
  readonly lifecycle_event: string | null;
  readonly delete_allowed: boolean;
  readonly pre_action: 'CREATE' | 'NOOP' | null;
  readonly structural_cud: Structural;
  readonly vetoes: readonly string[];
  readonly hints: readonly string[];
}

const LIFECYCLE_EVENTS = ['resolved', 'removed', 'reversed', 'superseded', 'deprecated'];
/** Categories whose records only a person may retire. */
const KEEP: readonly Category[] = ['decision', 'preference', 'session_summary'];

const plainEntry = ({ path, title, tags }: CandidateEntry): CandidateEntry => ({ path, title, tags });

/** The actions allowed on the active record that new information is about, or without one. */
export function candidateAnswer(
  category: Category,
  best: { readonly entry: CandidateEntry; readonly score: number } | undefined,
  event?: string,
): Result<CandidateAnswer> {
  if (event !== undefined && !LIFECYCLE_EVENTS.includes(event)) {
    return refuse('USAGE_ERROR', `Unknown lifecycle event ${JSON.stringify(event)}.`, { hint: `use one of: ${LIFECYCLE_EVENTS.join(', ')}` });
  }
  const deleteAllowed = !KEEP.includes(category);
  const preAction = best ? null : event === undefined ? 'CREATE' : 'NOOP';
  const hints: string[] = [];
  if (best) hints.push(`1 candidate found (score ${best.score})`);
  if (best && event)
    hints.push(deleteAllowed ? `${event}: DELETE it if that is what happened` : `${event}: a ${category} is not deleted by a drafter; UPDATE it`);
  if (preAction === 'NOOP') hints.push(`${event}, but no record is about it`);
  return ok({
    candidate: best ? plainEntry(best.entry) : null,
    score: best?.score ?? 0,
    lifecycle_event: event ?? null,
    delete_allowed: deleteAllowed,
    pre_action: preAction,
    structural_cud: preAction ?? (deleteAllowed ? 'UPDATE_OR_DELETE' : 'UPDATE'),
    vetoes: [],
    hints,
  });
}
