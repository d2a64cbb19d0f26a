import { ensureBuilt } from '../scripts/fresh.js';

/** Builds `dist/` once for all test files, if it is older than its sources. */
export function setup(): void {
  if (ensureBuilt() !== 0) throw new Error('dist/ could not be built: see above');
}
