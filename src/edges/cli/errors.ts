import { isFailure, isRefused, type Failure } from '../../core/failure.ts';
import type { Refusal, RefusalCode } from '../../core/result.ts';
import { nearestKey } from '../../core/config/unknown.ts';

/** The form of an error, for people and for scripts. */
export type CommandError = Pick<Refusal, 'code' | 'message' | 'missing' | 'fields' | 'rule'> & { readonly hint?: string | undefined };

/** The exit code of every refusal. */
export const EXIT_CODES: Readonly<Record<RefusalCode, number>> = {
  USAGE_ERROR: 2,
  INPUT_ERROR: 1,
  SECURITY_ERROR: 1,
  VALIDATION_ERROR: 1,
  PATH_ERROR: 1,
  CREATE_OVERWRITE_ERROR: 1,
  ANTI_RESURRECTION_ERROR: 1,
  CATEGORY_FULL: 1,
  CATEGORY_DISABLED: 1,
  MERGE_ERROR: 1,
  OCC_CONFLICT: 3,
  UPDATE_ERROR: 1,
  DELETE_ERROR: 1,
  ARCHIVE_ERROR: 1,
  UNARCHIVE_ERROR: 1,
  RESTORE_ERROR: 1,
  READ_ERROR: 5,
  NOT_FOUND: 4,
  AMBIGUOUS_ID: 1,
  NOTHING_TO_UNDO: 1,
  UNDO_CONFLICT: 1,
  CONFIG_ERROR: 1,
  BUDGET_EXHAUSTED: 1,
  MODEL_ERROR: 5,
  LOCK_TIMEOUT: 5,
  IO_ERROR: 5,
};

export const exitCodeOf = ({ code, missing }: Pick<Refusal, 'code' | 'missing'>): number => (missing ? 4 : EXIT_CODES[code]);

const HINTS: readonly (readonly [RegExp, string])[] = [
  [/ENOSPC|EDQUOT|disk is full/i, 'free some disk space and try again'],
  [/EFBIG/, 'the file would exceed the size limit of this system'],
  [/EROFS|EACCES|EPERM|readonly|read-only/i, 'make the home writable, or choose another with --home'],
  [/ENOTDIR|EISDIR|EEXIST/, 'a file is where a folder is needed, or the other way round'],
];

/** Whether an exception comes from the system or the database, and not from a bug of the program. */
const isSystemError = (cause: unknown): cause is Error & { readonly code: string } =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string' && ('syscall' in cause || cause.code.startsWith('ERR_SQLITE'));

const systemError = (cause: Error): CommandError => ({
  code: 'IO_ERROR',
  message: cause.message,
  hint: HINTS.find(([pattern]) => pattern.test(cause.message))?.[1],
});

const failureError = ({ code, message, hint }: Failure): CommandError => ({ code, message, hint });

/** The error to print for an exception; undefined if it is a bug of the program. */
export function commandErrorOf(cause: unknown): CommandError | undefined {
  if (isFailure(cause)) return failureError(cause);
  if (isRefused(cause)) return cause.refusal;
  return isSystemError(cause) ? systemError(cause) : undefined;
}

/** The error as one JSON document. */
export const errorJson = ({ code, message, hint, fields, rule }: CommandError): object => ({
  ok: false,
  error: code,
  message,
  ...(hint && { hint }),
  ...(fields && { fields }),
  ...(rule && { rule }),
});

/** ` Did you mean search?` for a misspelt word: nearly the same letters, or the same beginning. Empty if no word is close. */
export function didYouMean(word: string, words: readonly string[]): string {
  const similar = nearestKey(word, words) ?? words.find((candidate) => candidate.startsWith(word.slice(0, 3)));
  return similar === undefined ? '' : ` Did you mean ${similar}?`;
}

/** The message for a command's second word, such as `sing` in `holdfast config sing`. */
export const unknownAction = (command: string, word: string, actions: readonly string[]): string =>
  `Unknown action ${JSON.stringify(word)} for ${command}.${didYouMean(word, actions)} Use ${actions.length > 1 ? 'one of: ' : ''}${actions.join(', ')}.`;
