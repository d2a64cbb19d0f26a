import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderFacts } from '../../../src/adapters/git/repository.ts';
import type { IdentityRule } from '../../../src/core/project/folder.ts';
import { type Project, resolveProject, rememberProject } from '../../../src/core/project/identity.ts';
import { EMPTY_REGISTRY, parseRegistry, type Registry, serializeRegistry } from '../../../src/core/project/registry.ts';
import { sandbox } from './sandbox.ts';
import { spent } from '../../processor.ts';

const box = sandbox();
const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/** Projects as a process after the other would see them: the registry goes through its file's text each time. */
function machine(): (path: string, rule?: IdentityRule) => Project {
  let registry: Registry = EMPTY_REGISTRY;
  return (path, rule = 'repository') => {
    const facts = folderFacts(path, process.env);
    const project = resolveProject(facts, registry.projects, { rule, md5, exists: existsSync });
    registry = parseRegistry(serializeRegistry(rememberProject(registry, project, facts, Date.now()))).registry;
    return project;
  };
}

describe('projects on a real disk', () => {
  it('are one in all subfolders and worktrees of a clone, and apart when asked', () => {
    const see = machine();
    const top = box.repository('one');
    box.git(top, 'worktree', 'add', '--quiet', box.path('one-fix'));
    const keys = [top, join(top, 'src'), box.path('one-fix', 'src')].map((path) => see(path).key);
    expect(keys).toEqual(['one', 'one', 'one']);
    expect(see(box.path('one-fix'), 'worktree').key).toBe('one-fix');
    expect(see(top, 'worktree').key).toBe('one');
  });

  it('keep their memory when the repository is renamed, with and without a remote', () => {
    const see = machine();
    const local = box.repository('local-name');
    const cloned = box.repository('cloned-name');
    box.git(cloned, 'remote', 'add', 'origin', 'git@host:me/cloned.git');
    expect([see(local).key, see(cloned).key]).toEqual(['local-name', 'cloned-name']);
    renameSync(local, box.path('renamed-local'));
    renameSync(cloned, box.path('renamed-cloned'));
    expect(see(box.path('renamed-local'))).toMatchObject({ key: 'local-name', match: 'moved', path: box.path('renamed-local') });
    expect(see(box.path('renamed-cloned', 'src'))).toMatchObject({ key: 'cloned-name', match: 'moved' });
    expect(see(box.path('renamed-local')).match).toBe('known');
  });

  it('keep their memory through git init', () => {
    const see = machine();
    const folder = box.path('later');
    mkdirSync(folder);
    expect(see(folder).match).toBe('new');
    box.git(folder, 'init', '--quiet');
    expect(see(folder)).toMatchObject({ key: 'later', match: 'same-folder' });
  });

  it('know a worktree that was removed since', () => {
    const see = machine();
    const top = box.repository('host');
    box.git(top, 'worktree', 'add', '--quiet', box.path('host-gone'));
    see(box.path('host-gone'));
    box.git(top, 'worktree', 'remove', box.path('host-gone'));
    expect(see(box.path('host-gone', 'src'))).toMatchObject({ key: 'host', match: 'known' });
    rmSync(top, { recursive: true });
    expect(see(join(top, 'src'))).toMatchObject({ key: 'host', match: 'known' });
  });

  it('tell two clones of one name apart, or join them by remote', () => {
    const origin = box.repository('upstream');
    for (const parent of ['x', 'y']) {
      mkdirSync(box.path(parent));
      box.git(box.path(parent), 'clone', '--quiet', origin, 'app');
    }
    const see = machine();
    expect(see(box.path('x', 'app')).key).toBe('app');
    expect(see(box.path('y', 'app')).key).toMatch(/^app-[0-9a-f]{6}$/);
    const joined = machine();
    expect([joined(box.path('x', 'app'), 'remote').key, joined(box.path('y', 'app'), 'remote').key]).toEqual(['app', 'app']);
  });
});

describe('speed', () => {
  it('resolves a known project in well under a millisecond, eight folders deep, among 1,000 projects', () => {
    const top = box.repository('fast');
    const deep = join(top, 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
    mkdirSync(deep, { recursive: true });
    const facts = folderFacts(deep, process.env);
    let registry = EMPTY_REGISTRY;
    const context = { rule: 'repository', md5, exists: existsSync } as const;
    for (let n = 0; n < 999; n += 1) registry = rememberProject(registry, { ...resolveProject({ path: `/p/${n}` }, [], context) }, { path: `/p/${n}` }, 0);
    registry = rememberProject(registry, resolveProject(facts, [], context), facts, 0);
    const started = spent();
    for (let run = 0; run < 300; run += 1) {
      const project = resolveProject(folderFacts(deep, process.env), registry.projects, context);
      expect(project.match).toBe('known');
    }
    const each = (spent() - started) / 300;
    console.log(`resolve: ${each.toFixed(3)} ms of processor time`);
    expect(each).toBeLessThan(1);
  });
});
