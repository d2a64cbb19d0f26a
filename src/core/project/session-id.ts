import { ok, refuse, type Result } from '../result.ts';
import { isReservedName } from './reserved.ts';

const SAFE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** A session id becomes a file name, so it is checked before it does. */
export function safeSessionId(id: string): Result<string> {
  if (SAFE.test(id) && !id.includes('..') && !id.endsWith('.') && !isReservedName(id)) return ok(id);
  return refuse('VALIDATION_ERROR', `the session id ${JSON.stringify(id.slice(0, 60))} cannot be a file name`, {
    hint: 'a session id is 1 to 128 letters, digits, dots, hyphens and underscores, and starts with a letter or digit',
    fields: ['session_id'],
  });
}
