import type { Refusal } from './result.ts';

/** A failure of the disk, the lock or a damaged file, with a code for scripts and the underlying error as `cause`. */
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

/** A refusal as an exception, for code that cannot return it, such as opening a memory. */
export class Refused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.name = 'Refused';
    this.refusal = refusal;
  }
}

export const isRefused = (cause: unknown): cause is Refused => cause instanceof Refused;
