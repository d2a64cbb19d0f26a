import { hasConflictMarkers } from '../../core/record/conflict-markers.ts';
import { catchUpViews } from '../index/catch-up.ts';
import { readSession, SESSION_PLACE } from '../work/file.ts';
import type { Memory } from '../memory/memory.ts';
import { unmergedFiles } from '../write/merge-conflicts.ts';
import type { Finding } from './doctor.ts';

const VIEWS = ['index.md', '_index.md', '_index-archive.md'];

/** Views that an earlier version wrote into the shared root, where they conflict at every merge. */
export async function committedViews(memory: Memory): Promise<readonly Finding[]> {
  if (!memory.store.roots.includes('shared')) return [];
  const names = new Set(await memory.store.list('shared', ''));
  // A folder with a session file is another tool's memory: migrate imports it as a whole.
  if (names.has('_session.json')) return [];
  return VIEWS.filter((name) => names.has(name)).map((name) => ({
    level: 'note',
    what: `${memory.sharedPrefix}${name} is no longer updated: shared records are listed in your private index.md`,
    where: memory.store.absolute({ root: 'shared', path: name }),
    mend: `git rm ${memory.sharedPrefix}${name} (or delete the file, if git does not know it)`,
  }));
}

/** A value on one line, cut where it gets long. */
export function cutToOneLine(value: unknown, limit: number): string {
  const text = (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')).replace(/\s+/g, ' ').trim();
  return text.length > limit ? `${text.slice(0, limit)}…` : text;
}

/** The user's own files that git could not merge. */
export async function unmergedOfUser(user: Memory): Promise<readonly Finding[]> {
  await catchUpViews(user);
  return unmerged(user);
}

/** `_session.json` with conflict markers counts as damaged: memory mode is off until it is repaired. */
export async function unmergedSession(memory: Memory): Promise<readonly Finding[]> {
  const { damaged } = await readSession(memory);
  if (damaged === undefined) return [];
  return [
    {
      level: 'problem',
      what: hasConflictMarkers(damaged)
        ? 'git left conflict markers in _session.json, which is not used meanwhile'
        : 'The session file is damaged and not used.',
      where: memory.store.absolute(SESSION_PLACE),
      mend: 'remove the markers in an editor, or write a new one with holdfast start',
    },
  ];
}

/** Files that git could not merge: no agent sees them until the conflict is resolved. */
export async function unmerged(memory: Memory): Promise<readonly Finding[]> {
  const whose = memory.key === 'user' ? ' --user' : '';
  return (await unmergedFiles(memory)).map(({ place, file, conflicts, broken }) => {
    const differ = conflicts.map(({ field, ours, theirs }) => `${field} is "${cutToOneLine(ours, 200)}" in ours and "${cutToOneLine(theirs, 200)}" in theirs`);
    const state = broken ?? (differ.length === 0 ? 'both versions can be joined' : differ.join('; '));
    const command = `holdfast merge ${place.path}${whose}`;
    return {
      level: 'problem',
      what: `a merge left conflict markers in ${place.path}, which is not used meanwhile: ${state}`,
      where: file,
      mend:
        broken === undefined
          ? `${command}${differ.length === 0 ? '' : ' --ours or --theirs'}, or remove the markers in an editor; then git add it`
          : 'remove the markers in an editor, then git add it',
    };
  });
}
