import { isFailure, isRefused, type Failure } from '../../core/failure.ts';
import type { Refusal } from '../../core/result.ts';

/** What is told of an error, to people and to scripts. */
export type Trouble = Pick<Refusal, 'code' | 'message' | 'missing' | 'fields' | 'rule'> & { readonly hint?: string | undefined };

export const exitCodeOf = ({ code, missing }: Pick<Refusal, 'code' | 'missing'>): number => {
  if (missing || code === 'NOT_FOUND') return 4;
  if (code === 'OCC_CONFLICT') return 3;
  if (code === 'USAGE_ERROR') return 2;
  return code === 'IO_ERROR' || code === 'LOCK_TIMEOUT' || code === 'READ_ERROR' ? 5 : 1;
};

const HINTS: readonly (readonly [RegExp, string])[] = [
  [/ENOSPC|EDQUOT|disk is full/i, 'free some disk space and try again'],
  [/EFBIG/, 'the file would be larger than is allowed here'],
  [/EROFS|EACCES|EPERM|readonly|read-only/i, 'check that the home can be written, or point --home elsewhere'],
  [/ENOTDIR|EISDIR|EEXIST/, 'a file stands where a folder is needed, or the other way round'],
];

/** Whether the system or the database said no, as opposed to a fault of the program. */
const isSystemError = (cause: unknown): cause is Error & { readonly code: string } =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string' && ('syscall' in cause || cause.code.startsWith('ERR_SQLITE'));

const systemTrouble = (cause: Error): Trouble => ({
  code: 'IO_ERROR',
  message: cause.message,
  hint: HINTS.find(([pattern]) => pattern.test(cause.message))?.[1],
});

const failureTrouble = ({ code, message, hint }: Failure): Trouble => ({ code, message, hint });

/** What to tell of something thrown; undefined when it is a fault of the program. */
export function troubleOf(cause: unknown): Trouble | undefined {
  if (isFailure(cause)) return failureTrouble(cause);
  if (isRefused(cause)) return cause.refusal;
  return isSystemError(cause) ? systemTrouble(cause) : undefined;
}

/** The error as one JSON document. */
export const troubleJson = ({ code, message, hint, fields, rule }: Trouble): object => ({
  ok: false,
  error: code,
  message,
  ...(hint && { hint }),
  ...(fields && { fields }),
  ...(rule && { rule }),
});
