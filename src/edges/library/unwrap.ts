import { Refused } from '../../core/failure.ts';
import type { Result } from '../../core/result.ts';

/** The value of a result; a refusal is thrown, with its code and what to do next in `refusal`. */
export function unwrap<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new Refused(result.error);
}
