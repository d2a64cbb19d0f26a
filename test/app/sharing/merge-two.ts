import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { findProblems } from '../../../src/app/read/doctor.ts';
import { refresh } from '../../../src/app/index/refresh.ts';
import { mergeConflicts } from '../../../src/app/write/merge-conflicts.ts';
import { filesUnder, scratch } from '../../scratch.ts';
import { commitAll, git, person, random, unmergedPaths, workAtRandom, type Done, type Person } from './clones.ts';

const shared = (clone: string): string => path.join(clone, '.claude', 'memory');
const problems = async ({ memory }: Person): Promise<readonly string[]> =>
  (await findProblems(memory)).filter(({ level }) => level === 'problem').map(({ what }) => what);

const touched = ({ created, edited, retired }: Done): Set<string> => new Set([...created.keys(), ...edited.keys(), ...retired]);
const wordsOf = ({ created, edited }: Done): readonly string[] => [...created.values(), ...[...edited.values()].flat()];

export interface Merged {
  readonly conflicts: number;
  readonly records: number;
  readonly joined: number;
}

/** Two people work on two branches, and one merges the other's with plain git. Nothing may be lost. */
export async function mergeTwoClones(seed: number, steps: number, style: 'merge' | 'diff3'): Promise<Merged> {
  const folder = scratch();
  const chance = random(seed);
  fs.mkdirSync(path.join(folder, 'left', 'webshop'), { recursive: true });
  git(path.join(folder, 'left', 'webshop'), 'init', '--quiet');
  const left = person(folder, 'left', '2026-03-01T12:00:00Z');
  await workAtRandom(left, 'base', Math.max(10, steps / 2), chance);
  commitAll(left.clone, 'Start');
  fs.mkdirSync(path.join(folder, 'right'));
  git(folder, 'clone', '--quiet', left.clone, path.join(folder, 'right', 'webshop'));
  const right = person(folder, 'right', '2026-03-03T12:00:00Z');
  left.clock.ms = Date.parse('2026-03-03T12:00:00Z');
  await refresh(right.memory, 'all');
  const before = filesUnder(shared(left.clone));
  expect(Object.keys(before).every((name) => /^[\w-]+\/[^/]+\.md$/.test(name))).toBe(true);

  git(left.clone, 'switch', '--quiet', '-c', 'left');
  git(right.clone, 'switch', '--quiet', '-c', 'right');
  const [ours, theirs] = [await workAtRandom(left, 'left', steps, chance), await workAtRandom(right, 'right', steps, chance)];
  const [mine, yours] = [filesUnder(shared(left.clone)), filesUnder(shared(right.clone))];
  commitAll(left.clone, 'Left');
  commitAll(right.clone, 'Right');
  git(left.clone, 'fetch', '--quiet', right.clone, 'right');
  git(left.clone, '-c', `merge.conflictStyle=${style}`, 'merge', '--no-edit', 'FETCH_HEAD');

  // No conflict but in records both changed.
  const conflicts = unmergedPaths(left.clone);
  const [byUs, byThem] = [touched(ours), touched(theirs)];
  for (const name of conflicts) expect([name, byUs.has(name) && byThem.has(name)]).toEqual([name, true]);

  // Nothing lost: a file that one side touched is that side's, byte for byte.
  const after = filesUnder(shared(left.clone));
  for (const name of new Set([...Object.keys(mine), ...Object.keys(yours)])) {
    if (byUs.has(name) && byThem.has(name)) continue;
    expect([name, after[name]]).toEqual([name, byUs.has(name) ? mine[name] : byThem.has(name) ? yours[name] : before[name]]);
  }

  // The doctor names them all, and no agent sees any.
  await refresh(left.memory, 'all');
  const found = await problems(left);
  for (const name of conflicts) expect(found.filter((what) => what.includes(`markers in ${name}`))).toHaveLength(1);
  expect(found.filter((what) => what.includes('conflict markers'))).toHaveLength(conflicts.length);
  expect(left.memory.index.items().filter((item) => conflicts.includes(item.path))).toEqual([]);
  expect(found.filter((what) => !what.includes('conflict markers') && !/matter-\d(?:-\d+)? has 2 files$/.test(what))).toEqual([]);

  // Joined field by field; what is left is settled by a choice, and the other value stays in the history.
  const first = await mergeConflicts(left.memory, { actor: 'test' });
  expect(first.merged.length + first.open.length).toBe(conflicts.length);
  for (const { conflicts: fields, broken } of first.open) expect([broken, fields.length > 0]).toEqual([undefined, true]);
  const second = await mergeConflicts(left.memory, { actor: 'test' }, 'theirs');
  expect(second.open).toEqual([]);
  expect(await problems(left)).not.toContainEqual(expect.stringContaining('conflict markers'));
  const all = Object.values(filesUnder(shared(left.clone))).join('\n');
  for (const word of [...wordsOf(ours), ...wordsOf(theirs)]) expect([word, all.includes(word)]).toEqual([word, true]);
  for (const name of [...ours.retired, ...theirs.retired])
    expect([name, filesUnder(shared(left.clone))[name]]).toEqual([name, expect.stringContaining('record_status: retired')]);
  commitAll(left.clone, 'Merge');
  expect(git(left.clone, 'status', '--porcelain').out).toBe('');

  // The other one pulls the result and has the same records.
  git(right.clone, 'pull', '--quiet', '--no-rebase', '--no-edit', left.clone, 'left');
  expect(filesUnder(shared(right.clone))).toEqual(filesUnder(shared(left.clone)));
  await refresh(right.memory, 'all');
  expect(right.memory.index.problems()).toEqual([]);
  return { conflicts: conflicts.length, records: Object.keys(after).length, joined: first.merged.length };
}
