import { describe, expect, it } from 'vitest';
import type { FolderFacts } from '../../../src/core/project/folder.ts';
import { Machine, repo } from './machine.ts';

describe('a repository whose folder was replaced', () => {
  it('leaves its memory to no other repository in its place, and finds it again in any', () => {
    const machine = new Machine();
    const at = (root: string, id: string, root0?: string): FolderFacts => repo(root, { folderId: () => id, ...(root0 !== undefined && { root0 }) });
    const first = machine.see(at('/code/app', '1', 'c0ffee'));
    const other = machine.see(at('/code/app', '2', 'bad'));
    expect(other).toMatchObject({ match: 'new', path: '/code/app', identity: 'git:/code/app/.git' });
    expect([other.key, other.hash]).not.toContain(first.key);
    expect(other.hash).not.toBe(first.hash);
    expect(machine.see(at('/code/app', '2', 'bad'))).toMatchObject({ key: other.key, match: 'known' });
    expect(machine.see(at('/elsewhere/app', '1', 'c0ffee')), 'moved aside').toMatchObject({ key: 'app', match: 'moved' });
    machine.gone.add('/elsewhere/app');
    expect(machine.see(at('/code/app', '3', 'c0ffee')), 'cloned anew').toMatchObject({ key: 'app', match: 'moved' });
    expect(machine.see(at('/code/app', '2', 'bad')), 'the other put back').toMatchObject({ key: other.key });
    expect(new Set(machine.registry.projects.map(({ identity }) => identity)).size).toBe(2);
  });

  it('keeps its memory when it is cloned anew, or begins a new history in the same folder', () => {
    const machine = new Machine();
    machine.see(repo('/code/app', { root0: 'c0ffee', folderId: () => '1' }));
    expect(machine.see(repo('/code/app', { root0: 'c0ffee', folderId: () => '2' }))).toMatchObject({ key: 'app', match: 'same-folder' });
    expect(machine.see(repo('/code/app', { root0: 'c0ffee', folderId: () => '2' })).match, 'the new folder is noted').toBe('known');
    expect(machine.see(repo('/code/app', { root0: 'anew', folderId: () => '2' }))).toMatchObject({ key: 'app', match: 'known' });
    expect(machine.see(repo('/code/app', { folderId: () => '3' })), 'a shallow clone shows no history').toMatchObject({ key: 'app' });
    expect(machine.registry.projects[0]?.folderId, 'and proves none').toBe('2');
  });
});
