import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { IndexParts } from '../../core/ports/machine.ts';
import { SqliteIndex } from './index.ts';
import { isUnwritable } from './open.ts';

/** Opens the index of a memory; in memory only if there is nothing to index or the disk is not writable. */
export function openIndex({ state, existsIf, busyMs }: IndexParts): SqliteIndex {
  if (!existsSync(state) && !existsIf.some((folder) => existsSync(folder))) return new SqliteIndex(':memory:');
  try {
    return new SqliteIndex(join(state, 'index.db'), busyMs);
  } catch (cause) {
    // A read-only or full home can still be searched; a write reports the problem.
    if (isUnwritable(cause)) return new SqliteIndex(':memory:');
    throw cause;
  }
}
