import type { TriageCategory } from '../../capture/triage/settings.ts';
import type { Action } from '../../core/lifecycle/candidate.ts';
import { isFailure, isRefused } from '../../core/failure.ts';
import type { Refusal, RefusalCode } from '../../core/result.ts';
import type { Origin } from '../../core/record/schema.ts';
import { DRAFT_RULES } from '../../core/trust/review.ts';
import type { DraftVerdict } from './answer.ts';
import type { DraftSource, SettledDraft } from './save.ts';

/** Outcome of one category. */
export interface DraftOutcome {
  readonly category: TriageCategory;
  /** `nothing`: no change was needed; `blocked` by a verifier; `skipped` because its context or verdict is missing; `failed` with an error. */
  readonly status: 'saved' | 'nothing' | 'blocked' | 'skipped' | 'failed';
  readonly action: Action;
  /** One line. */
  readonly justification: string;
  readonly id?: string;
  /** The title of a changed record whose id was made from an older title. */
  readonly title?: string;
  readonly file?: string;
  /** The staged draft it came from. */
  readonly draft?: string;
  /** The verifier's issues: blocking ones of a blocked draft, small ones of a saved draft. */
  readonly issues: readonly string[];
  readonly warnings: readonly string[];
  readonly error?: Refusal;
}

type OutcomeDetails = Partial<Omit<DraftOutcome, 'category' | 'status'>>;

export const outcome = (category: TriageCategory, status: DraftOutcome['status'], details: OutcomeDetails = {}): DraftOutcome => ({
  category,
  status,
  action: 'NOOP',
  justification: '',
  issues: [],
  warnings: [],
  ...details,
});

export const failedOutcome = (category: TriageCategory, error: Refusal, details: OutcomeDetails = {}): DraftOutcome =>
  outcome(category, 'failed', { justification: error.message, ...details, error });

const STORAGE_CODES: readonly RefusalCode[] = ['IO_ERROR', 'LOCK_TIMEOUT', 'READ_ERROR'];

/** Turns an exception in one category into its outcome; the others continue. */
export function outcomeOfError(category: TriageCategory, cause: unknown): DraftOutcome {
  if (isRefused(cause)) return failedOutcome(category, cause.refusal);
  const code = isFailure(cause) && STORAGE_CODES.includes(cause.code) ? cause.code : 'IO_ERROR';
  return failedOutcome(category, { code, message: cause instanceof Error ? cause.message : String(cause) });
}

declare const passed: unique symbol;

/** A draft that has passed verification. Only `toVerified` makes one, and only these are saved. */
export interface VerifiedDraft {
  readonly settled: SettledDraft;
  readonly source: DraftSource;
  readonly issues: readonly string[];
  readonly [passed]: true;
}

/** The verifier: rules, a model, or the agent's verifier. */
export type Verifier = NonNullable<Origin['verified']>;

/** Marks a draft as verified; undefined if its verdict failed. */
export function toVerified(settled: SettledDraft, source: DraftSource, { passed: isPassed, issues }: DraftVerdict, by: Verifier): VerifiedDraft | undefined {
  if (!isPassed) return undefined;
  const { draft } = settled;
  const origin: Origin = { ...source.origin, verified: by, ...(by === 'rules' && { rules: DRAFT_RULES }) };
  const withOrigin = draft && settled.action === 'CREATE' ? { ...settled, draft: { ...draft, origin } } : settled;
  return { settled: withOrigin, source, issues } as VerifiedDraft;
}
