import type { Memory } from './memory.ts';

const LATEST = 20;

/** Whether the project brings a store of JSON records: what is added to it has its format and its names. */
export function takesJsonRecords({ index, store }: Memory): boolean {
  if (!store.roots.includes('shared')) return false;
  const latest = index.recent({ kind: 'record', root: 'shared' }, LATEST);
  return latest.length > 0 && latest.every(({ path }) => path.endsWith('.json'));
}
