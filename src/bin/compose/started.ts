import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Whether a project stands between start and stop, as its session file says. */
export function isStarted(privateRoot: string): boolean {
  try {
    const value: unknown = JSON.parse(readFileSync(join(privateRoot, '_session.json'), 'utf8'));
    return typeof value === 'object' && value !== null && 'active' in value && value.active === true;
  } catch {
    return false;
  }
}
