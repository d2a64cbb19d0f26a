import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { firstCommit, readCommits } from '../../src/adapters/git/history.ts';
import { findRepository } from '../../src/adapters/git/repository.ts';
import { scratch } from '../scratch.ts';
import { attack } from './attack.ts';
import { bareCopy, checkout, git, gitAnyway, markerProgram, type Trap, TRAPS } from './git-traps.ts';

/** Ways in which a hostile git directory lies on the disk. */
const PLACES: readonly (readonly [string, (folder: string, trap: Trap, program: string) => string])[] = [
  [
    'a checkout',
    (folder, trap, program) => {
      const top = checkout(join(folder, 'evil'));
      trap.set(join(top, '.git'), program);
      return top;
    },
  ],
  [
    'a bare repository',
    (folder, trap, program) => {
      const bare = bareCopy(checkout(join(folder, 'source')), join(folder, 'evil.git'));
      trap.set(bare, program);
      return bare;
    },
  ],
  [
    'a .git file that names a bare repository beside it',
    (folder, trap, program) => {
      const top = join(folder, 'evil');
      mkdirSync(top);
      trap.set(bareCopy(checkout(join(folder, 'source')), join(top, 'store')), program);
      writeFileSync(join(top, '.git'), 'gitdir: ./store\n');
      return top;
    },
  ],
  [
    'a linked worktree',
    (folder, trap, program) => {
      const top = checkout(join(folder, 'evil'));
      git(top, 'worktree', 'add', '--quiet', '--detach', join(folder, 'linked'));
      trap.set(join(top, '.git'), program);
      return join(folder, 'linked');
    },
  ],
];

describe('git over a hostile repository', () => {
  const working = TRAPS.filter(([, { spring }]) => spring !== undefined);
  it.each(working)('the trap works on plain git: %s', (_name, trap) => {
    const folder = scratch();
    const { program, ran } = markerProgram(folder);
    const top = checkout(join(folder, 'evil'));
    trap.set(join(top, '.git'), program);
    gitAnyway(top, trap.spring ?? []);
    expect(ran()).toBe(true);
  });

  for (const [place, lay] of PLACES) {
    attack('repository', `${place} runs no program`, TRAPS, async (trap) => {
      const folder = scratch();
      const { program, ran } = markerProgram(folder);
      const where = lay(folder, trap, program);
      const repository = findRepository(where) ?? expect.fail('no repository');
      const env = { ...process.env, GIT_TRACE2: '1', GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'core.fsmonitor', GIT_CONFIG_VALUE_0: program };
      firstCommit(repository, env);
      await readCommits(repository, { paths: ['a.txt'], after: '1234567' }, env);
      await readCommits(repository, {}, env);
      expect(ran()).toBe(false);
    });
  }
});
