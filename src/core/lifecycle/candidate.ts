import type { Category } from '../record/category.ts';
import { refuse, ok, type Result } from '../result.ts';

/** What the store's structure allows, and what a drafter wants; the first has the last word. */
export type Structural = 'CREATE' | 'UPDATE' | 'UPDATE_OR_DELETE' | 'NOOP' | 'VETO';
export type Action = 'CREATE' | 'UPDATE' | 'DELETE' | 'NOOP';

const TABLE: Readonly<Record<Exclude<Structural, 'NOOP' | 'VETO'>, Readonly<Record<Action, Action>>>> = {
  CREATE: { CREATE: 'CREATE', UPDATE: 'CREATE', DELETE: 'NOOP', NOOP: 'NOOP' },
  UPDATE_OR_DELETE: { CREATE: 'CREATE', UPDATE: 'UPDATE', DELETE: 'DELETE', NOOP: 'NOOP' },
  UPDATE: { CREATE: 'CREATE', UPDATE: 'UPDATE', DELETE: 'UPDATE', NOOP: 'NOOP' },
};

export interface CudQuestion {
  readonly structural: Structural;
  readonly wish: Action;
  readonly preAction?: 'CREATE' | 'NOOP' | null;
  readonly vetoes?: readonly string[];
}

/** The mechanical result beats the drafter's; a veto or NOOP is final. */
export function resolveCud({ structural, wish, preAction, vetoes = [] }: CudQuestion): Action {
  if (vetoes.length > 0 || structural === 'VETO' || structural === 'NOOP' || preAction === 'NOOP') return 'NOOP';
  return TABLE[structural][wish];
}

/** An active record as far as the search for a candidate needs it. */
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
const TITLE_WORD = 2;
const TAG = 3;
const PREFIX = 1;
const PREFIX_LENGTH = 4;
const ENOUGH = 3;

const STOP = new Set(
  'about after all also and any are because been but can could did does for from had has have her his how into its just like may more most not now our out over should some such than that the their them then there these they this use used using was were what when where which who why will with would you your'.split(
    ' ',
  ),
);

const wordsOf = (text: string): Set<string> =>
  new Set((text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length > 2 && !STOP.has(word)));

function score(info: ReadonlySet<string>, entry: CandidateEntry): number {
  const title = wordsOf(entry.title);
  const tags = new Set(entry.tags.map((tag) => tag.toLowerCase()));
  let total = 0;
  for (const word of info) {
    const [inTitle, inTags] = [title.has(word), tags.has(word)];
    total += (inTitle ? TITLE_WORD : 0) + (inTags ? TAG : 0);
    if (!inTitle && !inTags && word.length >= PREFIX_LENGTH && [...title, ...tags].some((target) => target.startsWith(word))) total += PREFIX;
  }
  return total;
}

/** Which active record of the category the new information is about, and what may be done with it. */
export function findCandidate(category: Category, newInfo: string, entries: readonly CandidateEntry[], event?: string): Result<CandidateAnswer> {
  if (event !== undefined && !LIFECYCLE_EVENTS.includes(event)) {
    return refuse('USAGE_ERROR', `Unknown lifecycle event ${JSON.stringify(event)}.`, { hint: `use one of: ${LIFECYCLE_EVENTS.join(', ')}` });
  }
  const info = wordsOf(newInfo);
  const best = entries
    .map((entry) => ({ entry, points: score(info, entry) }))
    .filter(({ points }) => points >= ENOUGH)
    .toSorted((a, b) => b.points - a.points || (a.entry.path < b.entry.path ? -1 : 1))[0];
  const deleteAllowed = !KEEP.includes(category);
  const preAction = best ? null : event === undefined ? 'CREATE' : 'NOOP';
  const hints: string[] = [];
  if (best) hints.push(`1 candidate found (score ${best.points})`);
  if (best && event)
    hints.push(deleteAllowed ? `${event}: DELETE it if that is what happened` : `${event}: a ${category} is not deleted by a drafter; UPDATE it`);
  if (preAction === 'NOOP') hints.push(`${event}, but no record is about it`);
  return ok({
    candidate: best?.entry ?? null,
    score: best?.points ?? 0,
    lifecycle_event: event ?? null,
    delete_allowed: deleteAllowed,
    pre_action: preAction,
    structural_cud: preAction ?? (deleteAllowed ? 'UPDATE_OR_DELETE' : 'UPDATE'),
    vetoes: [],
    hints,
  });
}
