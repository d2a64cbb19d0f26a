import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Whether a project stands between start and stop, as its session file says. */
export function isStarted(privateRoot: string): boolean {
  const file = join(privateRoot, '_session.json');
  // Most projects have none, and being told so by an exception costs more than looking.
  if (!existsSync(file)) return false;
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return typeof value === 'object' && value !== null && 'active' in value && value.active === true;
  } catch {
    return false;
  }
}
