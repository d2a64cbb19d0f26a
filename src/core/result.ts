/** An expected outcome: success or a refusal with a code. Exceptions are left for broken invariants and I/O. */
export type Result<T, E = Refusal> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: E };

export const ok = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value });
export const err = <E>(error: E): { readonly ok: false; readonly error: E } => ({ ok: false, error });

/** Every code that a script may meet; `exitCode` in the command line maps each to a number. */
export type RefusalCode =
  | 'USAGE_ERROR'
  | 'INPUT_ERROR'
  | 'SECURITY_ERROR'
  | 'VALIDATION_ERROR'
  | 'PATH_ERROR'
  | 'CREATE_OVERWRITE_ERROR'
  | 'ANTI_RESURRECTION_ERROR'
  | 'CATEGORY_FULL'
  | 'CATEGORY_DISABLED'
  | 'MERGE_ERROR'
  | 'OCC_CONFLICT'
  | 'UPDATE_ERROR'
  | 'DELETE_ERROR'
  | 'ARCHIVE_ERROR'
  | 'UNARCHIVE_ERROR'
  | 'RESTORE_ERROR'
  | 'READ_ERROR'
  | 'NOT_FOUND'
  | 'AMBIGUOUS_ID'
  | 'NOTHING_TO_UNDO'
  | 'UNDO_CONFLICT'
  | 'CONFIG_ERROR'
  | 'BUDGET_EXHAUSTED'
  | 'MODEL_ERROR'
  | 'LOCK_TIMEOUT'
  | 'IO_ERROR';

/** An expected failure: what happened, where, and what to do next. */
export interface Refusal {
  readonly code: RefusalCode;
  readonly message: string;
  readonly hint?: string;
  /** Dotted paths of the fields at fault, for validation and merge refusals. */
  readonly fields?: readonly string[];
  /** The requested thing does not exist. */
  readonly missing?: true;
  /** The rule's short name, for merge refusals. */
  readonly rule?: string;
}

export const refuse = (code: RefusalCode, message: string, more: Omit<Refusal, 'code' | 'message'> = {}): { readonly ok: false; readonly error: Refusal } =>
  err({ code, message, ...more });
