import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import { folderFacts } from '../../src/adapters/git/repository.ts';
import type { IdentityRule } from '../../src/core/project/folder.ts';
import { resolveProject, rememberProject } from '../../src/core/project/identity.ts';
import { EMPTY_REGISTRY, type Registry } from '../../src/core/project/registry.ts';
import { scratch } from '../scratch.ts';
import { attack } from './attack.ts';
import { checkout, git } from './git-traps.ts';

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
const REMOTE = 'git@host.example:me/private.git';

/** A user's machine: what it has seen, and the folder in which a stranger's archive is unpacked. */
class Machine {
  readonly folder = scratch();
  readonly evil = join(this.folder, 'downloads', 'evil');
  readonly rule: IdentityRule;
  registry: Registry = EMPTY_REGISTRY;

  constructor(rule: IdentityRule) {
    this.rule = rule;
    mkdirSync(this.evil, { recursive: true });
  }

  see(path: string): string {
    const facts = folderFacts(path, process.env);
    const project = resolveProject(facts, this.registry.projects, { rule: this.rule, md5, exists: existsSync });
    this.registry = rememberProject(this.registry, project, facts, Date.now());
    return project.key;
  }

  path(...parts: string[]): string {
    return join(this.folder, ...parts);
  }

  /** A file of the archive. */
  plant(file: string, text: string): string {
    mkdirSync(dirname(join(this.evil, file)), { recursive: true });
    writeFileSync(join(this.evil, file), text);
    return this.evil;
  }

  /** The user's private project, with a remote, seen before. */
  victim(): string {
    const top = checkout(this.path('private'));
    git(top, 'remote', 'add', 'origin', REMOTE);
    this.see(top);
    return top;
  }

  /** Another repository, with the remote of the private one, where that was. */
  replace(top: string): string {
    rmSync(top, { recursive: true, force: true });
    renameSync(checkout(this.path('stranger')), top);
    git(top, 'remote', 'add', 'origin', REMOTE);
    return top;
  }

  /** A git directory in the archive, without commits of the victim. */
  ownGitDir(at: string, config: string): string {
    const source = checkout(this.path('stranger'));
    renameSync(join(source, '.git'), join(this.evil, at));
    writeFileSync(join(this.evil, at, 'config'), config);
    return join(this.evil, at);
  }
}

type Claim = (machine: Machine) => string;

/** Each lays a hostile folder and returns where the user works in it; the victim is `private`, or what the claim makes itself. */
const CLAIMS: readonly (readonly [string, Claim])[] = [
  ['a .git file naming a checkout', (m) => m.plant('.git', `gitdir: ${m.victim()}/.git\n`)],
  ['a .git file naming a checkout with dots', (m) => m.plant('.git', `gitdir: ${m.victim()}/src/../.git/../.git\n`)],
  ['a .git file naming a checkout by a relative path', (m) => (m.victim(), m.plant('.git', 'gitdir: ../../private/.git\n'))],
  ['a .git file with a second line', (m) => m.plant('.git', `\ngitdir: ${m.victim()}/.git\ngitdir: x\n`)],
  ['a link named .git', (m) => (symlinkSync(join(m.victim(), '.git'), join(m.evil, '.git')), m.evil)],
  [
    'a .git file naming a linked worktree',
    (m) => (git(m.victim(), 'worktree', 'add', '--quiet', '--detach', m.path('fix')), m.plant('.git', `gitdir: ${m.path('private/.git/worktrees/fix')}\n`)),
  ],
  ['a .git file naming a worktree that never was', (m) => m.plant('.git', `gitdir: ${m.victim()}/.git/worktrees/nothing\n`)],
  [
    'a .git file naming a worktree whose checkout is gone',
    (m) => {
      git(m.victim(), 'worktree', 'add', '--quiet', '--detach', m.path('fix'));
      rmSync(m.path('fix'), { recursive: true });
      return m.plant('.git', `gitdir: ${m.path('private/.git/worktrees/fix')}\n`);
    },
  ],
  [
    'a .git file naming a worktree without a link back',
    (m) => {
      git(m.victim(), 'worktree', 'add', '--quiet', '--detach', m.path('fix'));
      rmSync(m.path('private/.git/worktrees/fix/gitdir'));
      return m.plant('.git', `gitdir: ${m.path('private/.git/worktrees/fix')}\n`);
    },
  ],
  [
    'a .git file naming a worktree of a repository that is gone',
    (m) => (rmSync(m.victim(), { recursive: true }), m.plant('.git', `gitdir: ${m.path('private/.git/worktrees/fix')}\n`)),
  ],
  ['a .git file naming a repository that is gone', (m) => (rmSync(m.victim(), { recursive: true }), m.plant('.git', `gitdir: ${m.path('private/.git')}\n`))],
  [
    'a .git file naming a worktree of a folder without git',
    (m) => (mkdirSync(m.path('private')), m.see(m.path('private')), m.plant('.git', `gitdir: ${m.path('private/.git/worktrees/x')}\n`)),
  ],
  [
    'a .git file naming a bare repository',
    (m) => (
      git(m.folder, 'clone', '--quiet', '--bare', m.victim(), 'store.git'),
      m.see(m.path('store.git')),
      m.plant('.git', `gitdir: ${m.path('store.git')}\n`)
    ),
  ],
  [
    'a .git file naming a bare repository that is gone',
    (m) => {
      git(m.folder, 'clone', '--quiet', '--bare', m.victim(), 'store.git');
      m.see(m.path('store.git'));
      rmSync(m.path('store.git'), { recursive: true });
      return m.plant('.git', `gitdir: ${m.path('store.git')}\n`);
    },
  ],
  [
    'a .git file naming a separate git directory',
    (m) => {
      git(m.folder, 'init', '--quiet', `--separate-git-dir=${m.path('store')}`, m.path('private'));
      m.see(m.path('private'));
      return m.plant('.git', `gitdir: ${m.path('store')}\n`);
    },
  ],
  [
    'a .git file naming a hidden bare repository beside its worktrees',
    (m) => {
      git(m.folder, 'clone', '--quiet', '--bare', m.victim(), 'layout/.bare');
      writeFileSync(m.path('layout', '.git'), 'gitdir: ./.bare\n');
      m.see(m.path('layout'));
      return m.plant('.git', `gitdir: ${m.path('layout/.bare')}\n`);
    },
  ],
  ['a .git folder whose commondir names a checkout', (m) => (m.ownGitDir('.git', ''), m.plant('.git/commondir', `${m.victim()}/.git\n`))],
  [
    'a git directory of its own whose commondir names a checkout and whose gitdir names itself',
    (m) => (
      m.plant('fake/HEAD', 'ref: refs/heads/main\n'),
      m.plant('fake/commondir', `${m.victim()}/.git\n`),
      m.plant('fake/gitdir', `${m.evil}/.git\n`),
      m.plant('.git', 'gitdir: ./fake\n')
    ),
  ],
  [
    'a git directory in a folder named worktrees whose commondir names a checkout',
    (m) => (
      m.plant('worktrees/fake/commondir', `${m.victim()}/.git\n`),
      m.plant('worktrees/fake/gitdir', `${m.evil}/.git\n`),
      m.plant('.git', 'gitdir: ./worktrees/fake\n')
    ),
  ],
  ['a checkout whose core.worktree names another', (m) => (m.ownGitDir('.git', `[core]\n\tworktree = ${m.victim()}\n`), m.evil)],
  ['a bare repository whose core.worktree names a checkout', (m) => m.ownGitDir('store', `[core]\n\tworktree = ${m.victim()}\n`)],
  [
    'a bare repository whose core.worktree names a folder without git',
    (m) => (mkdirSync(m.path('private')), m.see(m.path('private')), m.ownGitDir('store', `[core]\n\tworktree = ${m.path('private')}\n`)),
  ],
  [
    'a .git file to a bare repository whose core.worktree names a checkout',
    (m) => (m.ownGitDir('store', `[core]\n\tworktree = ${m.victim()}\n`), m.plant('.git', 'gitdir: ./store\n')),
  ],
  [
    'a linked worktree of a bare repository whose core.worktree names a checkout',
    (m) => {
      const store = m.ownGitDir('store', '[core]\n\tbare = true\n');
      git(store, 'worktree', 'add', '--quiet', '--detach', join(m.evil, 'linked'));
      writeFileSync(join(store, 'config'), `[core]\n\tworktree = ${m.victim()}\n`);
      return join(m.evil, 'linked');
    },
  ],
  [
    'a bare repository inside a checkout with the remote of another',
    (m) => (m.victim(), checkout(m.evil), m.ownGitDir('store', `[remote "origin"]\n\turl = ${REMOTE}\n`)),
  ],
  [
    'a bare repository inside a checkout whose core.worktree names another',
    (m) => (checkout(m.evil), m.ownGitDir('store', `[core]\n\tworktree = ${m.victim()}\n`)),
  ],
  ['a checkout with the remote of a private project', (m) => (m.victim(), m.ownGitDir('.git', `[remote "origin"]\n\turl = ${REMOTE}\n`), m.evil)],
  ['a bare repository with the remote of a private project', (m) => (m.victim(), m.ownGitDir('store.git', `[remote "origin"]\n\turl = ${REMOTE}\n`))],
  [
    'a checkout with the remote of a private project that is gone',
    (m) => (rmSync(m.victim(), { recursive: true }), m.ownGitDir('.git', `[remote "origin"]\n\turl = ${REMOTE}\n`), m.evil),
  ],
  ['a checkout in the place of a private project that was deleted', (m) => m.replace(m.victim())],
  [
    'a checkout in the place of a private project that was moved',
    (m) => {
      const top = m.victim();
      renameSync(top, m.path('moved'));
      m.replace(top);
      expect(m.see(m.path('moved')), 'its memory went with it').toBe('private');
      return top;
    },
  ],
  [
    'a shallow checkout with the remote of a private project that is gone',
    (m) => {
      rmSync(m.victim(), { recursive: true });
      const gitDir = m.ownGitDir('.git', `[remote "origin"]\n\turl = ${REMOTE}\n`);
      writeFileSync(join(gitDir, 'shallow'), readFileSync(join(gitDir, 'refs', 'heads', 'main')));
      return m.evil;
    },
  ],
];

/** Under `remote` the user has said that a URL is enough: a history that contradicts it still counts. */
const RULES = ['repository', 'worktree', 'remote'] as const;

describe('the memory of a private project', () => {
  for (const rule of RULES) {
    const claims = CLAIMS.filter(([label]) => rule !== 'remote' || !label.startsWith('a shallow checkout'));
    attack('repository', `stays with it under identity ${rule}`, claims, (lay) => {
      const machine = new Machine(rule);
      const where = lay(machine);
      const before = machine.registry.projects.map(({ key }) => key);
      expect(before).not.toEqual([]);
      expect(before).not.toContain(machine.see(where));
      expect(before).not.toContain(machine.see(join(where, 'src')));
    });
  }
});
