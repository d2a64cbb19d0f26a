import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { findRepository, realGitPath } from '../../../src/adapters/git/repository.ts';
import { sandbox } from './sandbox.ts';
import { skipIfClosedToOthers } from '../../other-users.ts';

const box = sandbox();

/** Git's own answer about a folder. */
const asGitSees = (where: string) => ({
  commonDir: box.git(where, 'rev-parse', '--path-format=absolute', '--git-common-dir'),
  gitDir: box.git(where, 'rev-parse', '--absolute-git-dir'),
  worktree: box.git(where, 'rev-parse', '--show-toplevel'),
});

describe('findRepository', () => {
  it('agrees with git in a checkout and its subfolders', () => {
    const top = box.repository('plain');
    for (const where of [top, join(top, 'src')]) expect(findRepository(where)).toEqual({ ...asGitSees(where), mainWorktree: top });
  });

  it('agrees with git in a linked worktree, which shares the common directory', () => {
    const top = box.repository('main');
    const linked = box.path('main-fix');
    box.git(top, 'worktree', 'add', '--quiet', linked);
    const found = findRepository(join(linked, 'src'));
    expect(found).toEqual({ ...asGitSees(join(linked, 'src')), mainWorktree: top });
    expect(found?.commonDir).toBe(findRepository(top)?.commonDir);
    expect(found?.gitDir).not.toBe(found?.commonDir);
  });

  it('gives a submodule its own identity, and one to its linked worktrees', () => {
    const inner = box.repository('inner');
    const outer = box.repository('outer');
    box.git(outer, 'submodule', '--quiet', 'add', inner, 'libs/inner');
    const sub = join(outer, 'libs', 'inner');
    expect(findRepository(sub)).toEqual({ ...asGitSees(sub), mainWorktree: sub });
    expect(findRepository(sub)?.commonDir).toBe(join(outer, '.git', 'modules', 'libs', 'inner'));
    expect(findRepository(join(outer, 'libs'))?.commonDir).toBe(join(outer, '.git'));
    const linked = box.path('inner-linked');
    box.git(sub, 'worktree', 'add', '--quiet', linked);
    expect(findRepository(linked)).toMatchObject({ commonDir: findRepository(sub)?.commonDir, mainWorktree: sub, worktree: linked });
  });

  it('knows bare repositories and their worktrees', () => {
    const origin = box.repository('origin');
    const bare = box.path('tool.git');
    box.git(box.folder, 'clone', '--quiet', '--bare', origin, bare);
    expect(findRepository(bare)).toEqual({ commonDir: bare, gitDir: bare });
    expect(findRepository(join(bare, 'refs', 'heads'))?.commonDir).toBe(bare);
    const linked = box.path('tool-main');
    box.git(bare, 'worktree', 'add', '--quiet', linked);
    expect(findRepository(linked)).toEqual(asGitSees(linked));
  });

  it('knows a bare repository hidden beside its worktrees', () => {
    const origin = box.repository('origin2');
    const hidden = box.path('layout', '.bare');
    box.git(box.folder, 'clone', '--quiet', '--bare', origin, hidden);
    box.write(box.path('layout', '.git'), 'gitdir: ./.bare\n');
    box.git(box.path('layout'), 'worktree', 'add', '--quiet', 'feature');
    expect(findRepository(box.path('layout', 'feature'))?.commonDir).toBe(hidden);
    expect(findRepository(box.path('layout'))?.commonDir).toBe(hidden);
  });

  it('knows a separate git directory', () => {
    const top = box.path('separate');
    mkdirSync(top);
    box.git(top, 'init', '--quiet', `--separate-git-dir=${box.path('elsewhere.git')}`);
    expect(findRepository(top)).toEqual({ ...asGitSees(top), mainWorktree: top, unconfirmed: true });
    box.git(top, 'config', 'core.worktree', top);
    expect(findRepository(top), 'named by its git directory').toEqual({ ...asGitSees(top), mainWorktree: top });
  });

  it('is the same through a symbolic link and from inside .git', () => {
    const top = box.repository('linked-to');
    symlinkSync(top, box.path('alias'));
    expect(findRepository(box.path('alias', 'src'))).toEqual(findRepository(top));
    expect(findRepository(join(top, '.git', 'hooks'))).toMatchObject({ commonDir: join(top, '.git'), mainWorktree: top });
  });

  it('finds none where there is none', () => {
    mkdirSync(box.path('none', '.git'), { recursive: true });
    expect(findRepository(box.path('none'))).toBeUndefined();
    expect(findRepository('/')).toBeUndefined();
    expect(findRepository(box.path('missing', 'deeper'))).toBeUndefined();
  });

  it('looks from the nearest folder that is there', () => {
    const top = box.repository('shrunk');
    expect(findRepository(join(top, 'was', 'here'))?.worktree).toBe(top);
  });

  it('keeps the identity of a worktree whose repository has moved away', () => {
    const top = box.repository('moving');
    const linked = box.path('moving-fix');
    box.git(top, 'worktree', 'add', '--quiet', linked);
    const before = findRepository(linked);
    renameSync(top, box.path('moved'));
    expect(findRepository(linked)).toEqual({ ...before, unconfirmed: true });
  });

  it('follows a worktree that was moved by hand', () => {
    const top = box.repository('still');
    box.git(top, 'worktree', 'add', '--quiet', box.path('still-a'));
    renameSync(box.path('still-a'), box.path('still-b'));
    expect(findRepository(box.path('still-b'))).toMatchObject({ commonDir: join(top, '.git'), unconfirmed: true });
    box.git(box.path('still-b'), 'worktree', 'repair');
    expect(findRepository(box.path('still-b'))).not.toHaveProperty('unconfirmed');
  });
});

describe('a .git that cannot be trusted', () => {
  it('leads to no repository that does not know the folder', () => {
    const victim = box.repository('victim');
    box.git(victim, 'worktree', 'add', '--quiet', box.path('victim-fix'));
    const sub = box.path('with-sub', 'libs', 'victim');
    box.git(box.repository('with-sub'), 'submodule', '--quiet', 'add', victim, 'libs/victim');
    const claims = {
      main: `gitdir: ${join(victim, '.git')}\n`,
      worktree: `gitdir: ${join(victim, '.git', 'worktrees', 'victim-fix')}\n`,
      submodule: `gitdir: ${findRepository(sub)?.gitDir}\n`,
      forged: 'gitdir: ./fake\n',
    };
    for (const [name, text] of Object.entries(claims)) {
      const folder = box.path('archive', name);
      box.write(join(folder, '.git'), text);
      box.write(join(folder, 'fake', 'commondir'), join(victim, '.git'));
      box.write(join(folder, 'fake', 'gitdir'), join(folder, '.git'));
      expect(findRepository(folder), name).toBeUndefined();
    }
    mkdirSync(box.path('archive', 'symlink'));
    symlinkSync(join(victim, '.git'), box.path('archive', 'symlink', '.git'));
    expect(findRepository(box.path('archive', 'symlink'))).toBeUndefined();
  });

  it('does not hand the folder to an outer repository', () => {
    const outer = box.repository('around');
    for (const [name, text] of [
      ['garbage', 'hello'],
      ['empty', ''],
      ['binary', '\u0000\u0001'],
    ] as const) {
      box.write(join(outer, name, '.git'), text);
      expect(findRepository(join(outer, name, 'deep')), name).toBeUndefined();
    }
  });

  it('never waits for a pipe and never follows a loop', () => {
    const folder = box.path('odd');
    mkdirSync(folder);
    execFileSync('mkfifo', [join(folder, '.git')]);
    expect(findRepository(folder)).toBeUndefined();
    rmSync(join(folder, '.git'));
    symlinkSync('.git', join(folder, '.git'));
    expect(findRepository(folder)).toBeUndefined();
  });

  it('is still the repository when it may not be read', ({ skip }) => {
    if (process.geteuid?.() === 0) skipIfClosedToOthers(box.folder, skip);
    const top = box.repository('closed');
    const open = findRepository(top);
    if (process.geteuid?.() === 0) for (const path of [top, join(top, '.git')]) chownSync(path, 65_534, 65_534);
    const withoutOrganisation = <T>(work: () => T): T => {
      if (process.geteuid?.() !== 0) return work();
      chmodSync(box.folder, 0o755);
      process.seteuid?.(65_534);
      try {
        return work();
      } finally {
        process.seteuid?.(0);
      }
    };
    chmodSync(join(top, '.git'), 0o000);
    try {
      expect(withoutOrganisation(() => findRepository(join(top, 'src')))).toEqual(open);
    } finally {
      chmodSync(join(top, '.git'), 0o755);
    }
    const linked = box.path('closed-file');
    box.write(join(linked, '.git'), `gitdir: ${join(top, '.git')}\n`);
    chmodSync(join(linked, '.git'), 0o000);
    expect(withoutOrganisation(() => findRepository(linked))).toBeUndefined();
  });

  it('names no checkout as its own that does not name it', () => {
    const victim = box.repository('named');
    const bare = box.path('naming.git');
    box.git(box.folder, 'clone', '--quiet', '--bare', victim, bare);
    box.git(bare, 'worktree', 'add', '--quiet', box.path('naming-linked'));
    writeFileSync(join(bare, 'config'), `[core]\n\tworktree = ${victim}\n`);
    for (const path of [bare, box.path('naming-linked')]) expect(findRepository(path), path).not.toHaveProperty('mainWorktree');
  });
});

describe('a bare repository inside a checkout', () => {
  it('is content of the checkout, wherever it lies', () => {
    const top = box.repository('embedding');
    for (const place of ['.', 'deep/er', '.hidden', 'x.git', 'node_modules/y']) {
      const bare = join(top, 'vendor', place, 'evil');
      box.git(box.folder, 'clone', '--quiet', '--bare', top, bare);
      for (const path of [bare, join(bare, 'refs', 'heads')]) expect(findRepository(path), place).toMatchObject({ gitDir: join(top, '.git'), worktree: top });
    }
  });

  it('is no repository at all when the user asks git for that', () => {
    const bare = box.path('explicit.git');
    box.git(box.folder, 'clone', '--quiet', '--bare', box.repository('explicit'), bare);
    expect(findRepository(bare)?.gitDir).toBe(bare);
    const home = box.path('home');
    withHome(home, '[safe]\n\tbareRepository = explicit\n', () => expect(findRepository(bare)).toBeUndefined());
    withHome(home, '[safe]\n\tbareRepository = all\n', () => expect(findRepository(bare)?.gitDir).toBe(bare));
  });
});

/** With a git configuration made for this test. */
function withHome(home: string, config: string, work: () => void): void {
  box.write(join(home, '.gitconfig'), config);
  vi.stubEnv('HOME', home);
  try {
    work();
  } finally {
    vi.stubEnv('HOME', box.folder);
  }
}

describe.runIf(process.geteuid?.() === 0)('a repository of another user', () => {
  const owned = (name: string, ...parts: string[]): string => {
    const top = box.repository(name);
    for (const part of parts) chownSync(join(top, part), 4242, 4242);
    return top;
  };

  it('is not used, whichever part of it is not ours', () => {
    for (const [name, part] of [
      ['their-git', '.git'],
      ['their-checkout', '.'],
    ] as const)
      expect(findRepository(join(owned(name, part), 'src')), name).toBeUndefined();
    const bare = box.path('theirs.git');
    box.git(box.folder, 'clone', '--quiet', '--bare', box.repository('for-theirs'), bare);
    chownSync(bare, 4242, 4242);
    expect(findRepository(bare)).toBeUndefined();
  });

  it('is used when the user declares it safe, and only then', () => {
    const top = owned('declared', '.git', '.');
    const home = box.path('home');
    const cases: [string, boolean][] = [
      ['*', true],
      [top, true],
      [`${top}/`, true],
      [`${box.folder}/*`, true],
      [`${top}-other`, false],
      [join(top, 'src'), false],
      ['', false],
    ];
    for (const [value, isUsed] of cases)
      withHome(home, `[safe]\n\tdirectory = ${value}\n`, () => expect(findRepository(top) !== undefined, value).toBe(isUsed));
    withHome(home, `[safe]\n\tdirectory = *\n\tdirectory =\n`, () => expect(findRepository(top)).toBeUndefined());
    box.write(join(top, '.git', 'config'), `[safe]\n\tdirectory = *\n`);
    expect(findRepository(top), 'its own word does not count').toBeUndefined();
  });
});

describe('a path that nothing can have', () => {
  it('leads to the nearest folder that is there', () => {
    const top = box.repository('endless');
    const path = join(top, ...Array.from({ length: 20_000 }, (_, n) => `d${n}`));
    expect(findRepository(path)?.worktree).toBe(top);
    expect(realGitPath(path)).toBe(path);
    expect(findRepository(`/${'x'.repeat(100_000)}`)).toBeUndefined();
  });
});
