import type { TriageCategory } from '../../capture/triage/settings.ts';
import type { Action } from '../../core/lifecycle/candidate.ts';
import { isFailure, isRefused } from '../../core/failure.ts';
import type { Refusal, RefusalCode } from '../../core/result.ts';
import type { Origin } from '../../core/record/schema.ts';
import { DRAFT_RULES } from '../../core/trust/review.ts';
import type { DraftVerdict } from './answer.ts';
import type { DraftSource, Settled } from './save.ts';

/** Outcome of one category. */
export interface DraftOutcome {
  readonly category: TriageCategory;
  /** `nothing` was to be done; `blocked` by a verifier; `skipped` for lack of a context; `failed` with an error. */
  readonly status: 'saved' | 'nothing' | 'blocked' | 'skipped' | 'failed';
  readonly action: Action;
  /** One line. */
  readonly justification: string;
  readonly id?: string;
  /** The title of a changed record whose id tells another. */
  readonly title?: string;
  readonly file?: string;
  /** The staged draft it came from. */
  readonly draft?: string;
  /** The verifier's issues: blocking ones of a blocked draft, small ones of a saved draft. */
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

declare const passed: unique symbol;

/** A draft that has passed verification. Only `checked` makes one, and only these are saved. */
export interface VerifiedDraft {
  readonly settled: Settled;
  readonly source: DraftSource;
  readonly issues: readonly string[];
  readonly [passed]: true;
}

/** The verifier: rules, a model, or the agent's verifier. */
export type Checker = NonNullable<Origin['verified']>;

/** The draft as `Checked`; undefined when its verdict failed. */
export function checked(settled: Settled, source: DraftSource, { passed: isGood, issues }: DraftVerdict, by: Checker): VerifiedDraft | undefined {
  if (!isGood) return undefined;
  const { draft } = settled;
  const origin: Origin = { ...source.origin, verified: by, ...(by === 'rules' && { rules: DRAFT_RULES }) };
  const marked = draft && settled.action === 'CREATE' ? { ...settled, draft: { ...draft, origin } } : settled;
  return { settled: marked, source, issues } as VerifiedDraft;
}
