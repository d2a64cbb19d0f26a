import type { TriageCategory } from '../../capture/triage/settings.ts';
import type { Action } from '../../core/lifecycle/cud.ts';
import { isFailure, isRefused } from '../../core/failure.ts';
import type { Refusal, RefusalCode } from '../../core/result.ts';

/** Outcome of one category. */
export interface DraftOutcome {
  readonly category: TriageCategory;
  /** `nothing` was to be done; `blocked` by a verifier; `skipped` for want of a context; `failed` with an error. */
  readonly status: 'saved' | 'nothing' | 'blocked' | 'skipped' | 'failed';
  readonly action: Action;
  /** One line. */
  readonly justification: string;
  readonly id?: string;
  readonly file?: string;
  /** The staged draft it came from. */
  readonly draft?: string;
  /** What the verifier said: blocks of a blocked draft, small flaws of a saved one. */
  readonly issues: readonly string[];
  readonly warnings: readonly string[];
  readonly error?: Refusal;
}

type More = Partial<Omit<DraftOutcome, 'category' | 'status'>>;

export const outcome = (category: TriageCategory, status: DraftOutcome['status'], more: More = {}): DraftOutcome => ({
  category,
  status,
  action: 'NOOP',
  justification: '',
  issues: [],
  warnings: [],
  ...more,
});

export const failed = (category: TriageCategory, error: Refusal, more: More = {}): DraftOutcome =>
  outcome(category, 'failed', { justification: error.message, ...more, error });

const KNOWN: readonly RefusalCode[] = ['IO_ERROR', 'LOCK_TIMEOUT', 'READ_ERROR'];

/** An exception in one category as its outcome; the others go on. */
export function broken(category: TriageCategory, cause: unknown): DraftOutcome {
  if (isRefused(cause)) return failed(category, cause.refusal);
  const code = isFailure(cause) && KNOWN.includes(cause.code) ? cause.code : 'IO_ERROR';
  return failed(category, { code, message: cause instanceof Error ? cause.message : String(cause) });
}
