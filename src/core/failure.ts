import type { Refusal } from './result.ts';

/** The disk, the lock or a damaged file said no: carries a code for scripts and the underlying error as `cause`. */
export class Failure extends Error {
  readonly code: 'IO_ERROR' | 'LOCK_TIMEOUT' | 'READ_ERROR';
  readonly hint: string | undefined;

  constructor(code: Failure['code'], message: string, options: { readonly hint?: string; readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'Failure';
    this.code = code;
    this.hint = options.hint;
  }
}

export const isFailure = (cause: unknown): cause is Failure => cause instanceof Failure;

/** A refusal met where only an exception can carry it out, such as while a memory is being opened. */
export class Refused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.name = 'Refused';
    this.refusal = refusal;
  }
}

export const isRefused = (cause: unknown): cause is Refused => cause instanceof Refused;
