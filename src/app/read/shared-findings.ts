import type { Memory } from '../memory/memory.ts';
import type { Finding } from './doctor.ts';

const VIEWS = ['index.md', '_index.md', '_index-archive.md'];

/** Views that an earlier version wrote into the shared root, where they conflict at every merge. */
export async function committedViews(memory: Memory): Promise<readonly Finding[]> {
  if (!memory.store.roots.includes('shared')) return [];
  const names = new Set(await memory.store.list('shared', ''));
  // A folder with a session file is another tool's memory: migrate takes it over as a whole.
  if (names.has('_session.json')) return [];
  return VIEWS.filter((name) => names.has(name)).map((name) => ({
    level: 'note',
    what: `${memory.sharedPrefix}${name} is no longer updated: shared records are listed in your private index.md`,
    where: memory.store.absolute({ root: 'shared', path: name }),
    mend: `git rm ${memory.sharedPrefix}${name} (or delete the file, if git does not know it)`,
  }));
}
