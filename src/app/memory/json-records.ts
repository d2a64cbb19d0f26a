import type { Memory } from './memory.ts';

const RECORDS_CHECKED = 20;

/** Whether the project's shared records are JSON; then new ones get the same format and names. */
export function takesJsonRecords({ index, store }: Memory): boolean {
  if (!store.roots.includes('shared')) return false;
  const latest = index.recent({ kind: 'record', root: 'shared' }, RECORDS_CHECKED);
  return latest.length > 0 && latest.every(({ path }) => path.endsWith('.json'));
}
