import { describe, expect, it } from 'vitest';
import type { FolderFacts } from '../../../src/core/project/folder.ts';
import { linked, Machine, repo } from './machine.ts';

describe('one repository is one project', () => {
  it('joins subfolders and worktrees of one clone', () => {
    const machine = new Machine();
    const main = machine.see(repo('/code/my_app'));
    expect(main).toMatchObject({ key: 'my-app', path: '/code/my_app', worktree: '/code/my_app', identity: 'git:/code/my_app/.git', match: 'new' });
    expect(machine.see(repo('/code/my_app', { path: '/code/my_app/src/deep' }))).toMatchObject({ key: 'my-app', match: 'known' });
    expect(machine.see(linked('/code/my_app', 'feature'))).toMatchObject({
      key: 'my-app',
      hash: main.hash,
      worktree: '/code/my_app-feature',
      match: 'known',
    });
    expect(machine.registry.projects).toHaveLength(1);
    expect(machine.registry.projects[0]?.paths).toEqual(['/code/my_app', '/code/my_app-feature']);
  });

  it('names a repository by its main checkout even when a worktree comes first', () => {
    expect(new Machine().see(linked('/code/app', 'x', '/tmp/x'))).toMatchObject({ key: 'app', path: '/code/app', worktree: '/tmp/x' });
  });

  it('names a bare repository by its folder, and one hidden beside its worktrees by theirs', () => {
    expect(new Machine().see({ path: '/srv/tool.git', gitCommonDir: '/srv/tool.git', gitDir: '/srv/tool.git' })).toMatchObject({
      key: 'tool',
      path: '/srv/tool.git',
    });
    const hidden = { path: '/code/app/main', gitCommonDir: '/code/app/.bare', gitDir: '/code/app/.bare/worktrees/main', worktree: '/code/app/main' };
    expect(new Machine().see(hidden)).toMatchObject({ key: 'app', path: '/code/app' });
  });

  it('does not give a hidden bare repository the memory of the plain folder that it lies in', () => {
    const machine = new Machine();
    machine.see({ path: '/home/me/notes' });
    const bare = { path: '/home/me/notes/.x', gitCommonDir: '/home/me/notes/.x', gitDir: '/home/me/notes/.x' };
    expect(machine.see(bare)).toMatchObject({ match: 'new' });
    expect(machine.see(bare).key).not.toBe('notes');
    expect(machine.see({ path: '/home/me/notes' })).toMatchObject({ key: 'notes', match: 'known' });
  });

  it('takes a folder without git as it is', () => {
    const machine = new Machine();
    expect(machine.see({ path: '/home/me/Notes/' })).toMatchObject({ key: 'notes', path: '/home/me/Notes', identity: 'path:/home/me/Notes' });
    expect(machine.see({ path: '/home/me/Notes/sub' })).toMatchObject({ key: 'sub', match: 'new' });
    expect(machine.see({ path: '/' })).toMatchObject({ key: 'root', path: '/' });
    expect(machine.see({ path: '/' })).toMatchObject({ key: 'root', match: 'known' });
  });
});

describe('the identity rule', () => {
  it('isolates worktrees', () => {
    const machine = new Machine();
    expect(machine.see(repo('/code/app'), 'worktree')).toMatchObject({ key: 'app', identity: 'worktree:/code/app/.git' });
    expect(machine.see(linked('/code/app', 'fix'), 'worktree')).toMatchObject({
      key: 'app-fix',
      match: 'new',
      identity: 'worktree:/code/app/.git/worktrees/fix',
    });
  });

  it('keeps a worktree its memory when git moves it', () => {
    const machine = new Machine();
    machine.see(linked('/code/app', 'fix'), 'worktree');
    machine.gone.add('/code/app-fix');
    expect(machine.see(linked('/code/app', 'fix', '/elsewhere/fix'), 'worktree')).toMatchObject({
      key: 'app-fix',
      path: '/elsewhere/fix',
      match: 'known',
    });
  });

  it('joins clones by their remote, however it is spelt', () => {
    const machine = new Machine();
    expect(machine.see(repo('/a/app', { url: 'git@host:me/app.git', root0: 'c0ffee' }), 'remote')).toMatchObject({
      key: 'app',
      identity: 'remote:host/me/app',
    });
    expect(machine.see(repo('/b/copy', { url: 'https://host/me/app', root0: 'c0ffee' }), 'remote')).toMatchObject({
      key: 'app',
      path: '/a/app',
      worktree: '/b/copy',
      match: 'known',
    });
    expect(machine.see(repo('/c/local'), 'remote')).toMatchObject({ key: 'local', identity: 'git:/c/local/.git' });
  });

  it('moves the name to a clone that is left when the first one goes', () => {
    const machine = new Machine();
    machine.see(repo('/a/app', { url: 'git@host:me/app.git', root0: 'c0ffee' }), 'remote');
    machine.gone.add('/a/app');
    expect(machine.see(repo('/b/copy', { url: 'git@host:me/app.git', root0: 'c0ffee' }), 'remote')).toMatchObject({
      key: 'app',
      path: '/b/copy',
      match: 'known',
    });
  });

  it('keeps the memory of a folder when the rule changes, there and back', () => {
    const machine = new Machine();
    machine.see(repo('/code/app', { url: 'git@host:me/app.git' }));
    for (const rule of ['worktree', 'remote', 'repository'] as const) {
      expect(machine.see(repo('/code/app', { url: 'git@host:me/app.git' }), rule)).toMatchObject({ key: 'app', match: 'same-folder' });
    }
    expect(machine.registry.projects).toHaveLength(1);
  });

  it('leaves a remote its memory when one of its clones turns elsewhere', () => {
    const machine = new Machine();
    machine.see(repo('/a/app', { url: 'git@host:me/app.git', root0: 'c0ffee' }), 'remote');
    machine.see(repo('/b/app', { url: 'git@host:me/app.git', root0: 'c0ffee' }), 'remote');
    expect(machine.see(repo('/a/app', { url: 'git@host:me/other.git', root0: 'c0ffee' }), 'remote')).toMatchObject({ match: 'new' });
    expect(machine.see(repo('/b/app', { url: 'git@host:me/app.git', root0: 'c0ffee' }), 'remote')).toMatchObject({ key: 'app', match: 'known' });
  });

  it.each([
    ['recorded before its first commit', {}, { root0: 'c0ffee' }],
    ['claimed by a folder without a commit', { root0: 'c0ffee' }, {}],
    ['claimed by a folder with another history', { root0: 'c0ffee' }, { root0: 'decade' }],
  ])('keeps its memory to itself when it is %s', (_, recorded, claims) => {
    const machine = new Machine();
    const url = 'git@host:me/app.git';
    machine.see(repo('/a/app', { url, ...recorded }), 'remote');
    expect(machine.see(repo('/b/evil', { url, ...claims }), 'remote')).toMatchObject({ key: 'evil', match: 'new' });
    expect(machine.see(repo('/a/app', { url, ...recorded }), 'remote')).toMatchObject({ key: 'app', match: 'known' });
  });
});

describe('one key, two projects', () => {
  it('adds six digits of the hash', () => {
    const machine = new Machine();
    expect(machine.see(repo('/a/app')).key).toBe('app');
    const other = machine.see(repo('/b/app'));
    expect(other.key).toBe(`app-${other.hash.slice(0, 6)}`);
    expect(machine.see(repo('/b/app')).key).toBe(other.key);
  });

  it('tells paths apart that share a hash', () => {
    const machine = new Machine();
    const upper = machine.see({ path: '/home/User/App' });
    const lower = machine.see({ path: '/home/user/app' });
    const third = machine.see({ path: '/home/user/APP' });
    expect(new Set([upper.hash, lower.hash, third.hash])).toEqual(new Set(['4c37c7c3c5ec']));
    expect([upper.key, lower.key, third.key]).toEqual(['app', 'app-4c37c7', 'app-4c37c7-2']);
    expect(machine.see({ path: '/home/User/App' }).key).toBe('app');
    expect(machine.see({ path: '/home/user/app' }).key).toBe('app-4c37c7');
  });

  it('leaves a folder alone that belongs to another path, and adopts one that is its own', () => {
    const owner = (key: string): string | undefined => (key === 'app' ? '/old/app' : undefined);
    expect(new Machine().see(repo('/b/app'), 'repository', owner).key).toMatch(/^app-[0-9a-f]{6}$/);
    expect(new Machine().see(repo('/old/app'), 'repository', owner).key).toBe('app');
    expect(new Machine().see(repo('/new/app', { path: '/old/app', worktree: '/old/app' }), 'repository', owner).key).toBe('app');
  });
});

describe('a checkout whose git directory does not name it', () => {
  const claiming = (path: string, more: Partial<FolderFacts> = {}): FolderFacts =>
    repo('/old/app', { path, worktree: path, mainWorktree: path, unconfirmed: true, ...more });

  it('is a project of its own, whatever repository, remote and history it names', () => {
    for (const rule of ['repository', 'worktree', 'remote'] as const) {
      const machine = new Machine();
      machine.see(repo('/old/app', { url: 'git@host:me/app.git', root0: 'c0ffee' }), rule);
      const evil = claiming('/evil', { remote: () => 'git@host:me/app.git', firstCommit: () => 'c0ffee' });
      expect(machine.see(evil, rule), rule).toMatchObject({ key: 'evil', path: '/evil', match: 'new' });
      machine.gone.add('/old/app');
      expect(machine.see({ ...evil, path: '/evil2', worktree: '/evil2' }, rule), rule).toMatchObject({ key: 'evil2', match: 'new' });
      expect(
        machine.registry.projects.filter(({ remote, firstCommit }) => remote ?? firstCommit),
        rule,
      ).toHaveLength(1);
    }
  });

  it('keeps the project that it was recorded in when it was confirmed', () => {
    const machine = new Machine();
    machine.see(linked('/old/app', 'fix'));
    machine.gone.add('/old/app');
    expect(machine.see({ ...linked('/old/app', 'fix'), unconfirmed: true })).toMatchObject({ key: 'app', path: '/old/app', match: 'known' });
  });
});

it('a clone with the remote of a project and another history is no clone of it', () => {
  const machine = new Machine();
  const url = 'git@host:me/app.git';
  machine.see(repo('/a/app', { url, root0: 'c0ffee' }), 'remote');
  expect(machine.see(repo('/b/app', { url, root0: 'bad' }), 'remote')).toMatchObject({ match: 'new', identity: 'git:/b/app/.git' });
  expect(machine.see(repo('/c/app', { url, root0: 'c0ffee' }), 'remote')).toMatchObject({ key: 'app', match: 'known' });
});

describe('a repository that moved', () => {
  const before = { url: 'git@host:me/app.git', root0: 'c0ffee' };

  it('is known by its remote and its first commit', () => {
    const machine = new Machine();
    const first = machine.see(repo('/old/app', before));
    machine.gone.add('/old/app');
    expect(machine.see(repo('/evil/name', { url: 'https://host/me/app' })).match, 'a URL alone proves nothing').toBe('new');
    expect(machine.see(repo('/evil/other', { url: 'https://host/me/app', root0: 'bad' })).match).toBe('new');
    const moved = machine.see(repo('/new/name', { url: 'https://host/me/app', root0: 'c0ffee' }));
    expect(moved).toMatchObject({ key: 'app', path: '/new/name', identity: 'git:/new/name/.git', match: 'moved' });
    expect(moved.hash).not.toBe(first.hash);
    expect(machine.registry.projects[0]?.paths).toEqual(['/new/name', '/old/app']);
    expect(machine.see(repo('/new/name', before)).match).toBe('known');
  });

  it('is known by its first commit where it has no remote', () => {
    const machine = new Machine();
    machine.see(repo('/old/app', { root0: 'c0ffee' }));
    machine.gone.add('/old/app');
    expect(machine.see(repo('/new/name', { root0: 'c0ffee' }))).toMatchObject({ key: 'app', match: 'moved' });
  });

  it('is not known while the old one is there, nor by another remote', () => {
    const machine = new Machine();
    machine.see(repo('/old/app', before));
    expect(machine.see(repo('/new/app', before)).match).toBe('new');
    machine.gone.add('/old/app');
    expect(machine.see(repo('/fork/app', { url: 'git@host:you/app.git', root0: 'c0ffee' })).match).toBe('new');
    expect(machine.see(repo('/bare/app')).match).toBe('new');
  });

  it('is the best match, then the last one seen', () => {
    const machine = new Machine();
    machine.see(repo('/one/a', { root0: 'c0ffee' }));
    machine.see(repo('/two/b', before));
    machine.see(repo('/three/c', { root0: 'c0ffee' }));
    machine.gone.add('/one/a').add('/two/b').add('/three/c');
    expect(machine.see(repo('/new/x', before)).key).toBe('b');
    expect(machine.see(repo('/new/y', before)).key).toBe('c');
    expect(machine.see(repo('/new/z', before)).key).toBe('a');
  });

  it('takes its linked worktrees along, and is no heir to theirs', () => {
    const machine = new Machine();
    const url = 'git@host:me/app.git';
    machine.see({ ...linked('/old/app', 'fix'), remote: () => url, firstCommit: () => 'c0ffee' }, 'worktree');
    machine.gone.add('/old/app').add('/old/app-fix');
    expect(machine.see(repo('/new/app', before), 'worktree').match).toBe('new');
    expect(machine.see({ ...linked('/new/app', 'other'), remote: () => url, firstCommit: () => 'c0ffee' }, 'worktree').match).toBe('new');
    expect(machine.see({ ...linked('/new/app', 'fix'), remote: () => url, firstCommit: () => 'c0ffee' }, 'worktree')).toMatchObject({
      key: 'app-fix',
      match: 'moved',
    });
  });

  it('is not known by its remote alone: anyone can write a URL', () => {
    const machine = new Machine();
    machine.see(repo('/old/unborn', { url: 'git@host:me/app.git' }));
    machine.gone.add('/old/unborn');
    expect(machine.see(repo('/new/evil', before))).toMatchObject({ key: 'evil', match: 'new' });
  });

  it('keeps its memory through git init and through the loss of .git', () => {
    const machine = new Machine();
    machine.see({ path: '/code/app' });
    expect(machine.see(repo('/code/app'))).toMatchObject({ key: 'app', match: 'same-folder', identity: 'git:/code/app/.git' });
    expect(machine.see({ path: '/code/app' })).toMatchObject({ key: 'app', match: 'same-folder', identity: 'path:/code/app' });
  });

  it('starts no process for a project that is known, nor for a new one among projects that are there', () => {
    const machine = new Machine();
    machine.see(repo('/a/app', before));
    machine.see(repo('/b/other', before));
    for (let n = 0; n < 3; n += 1) machine.see(repo('/a/app', before));
    expect(machine.asked).toBe(0);
  });
});

describe('a folder that is gone', () => {
  it('belongs to the project it was last seen in', () => {
    const machine = new Machine();
    machine.see(repo('/code/app'));
    machine.see(linked('/code/app', 'fix'));
    expect(machine.see({ path: '/code/app-fix/src', gone: true })).toMatchObject({ key: 'app', match: 'known' });
    expect(machine.see({ path: '/code/elsewhere', gone: true })).toMatchObject({ key: 'elsewhere', match: 'new' });
    expect(machine.registry.projects.find((entry) => entry.key === 'app')?.paths).toEqual(['/code/app', '/code/app-fix']);
  });
});
