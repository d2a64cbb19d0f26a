import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { sandbox } from '../../adapters/git/sandbox.ts';
import { documentsOf, draftFile, program, type Program } from './program.ts';

const { git } = sandbox();

const folder = (it: Program, ...names: readonly string[]): string => {
  const made = path.join(it.folder, ...names);
  fs.mkdirSync(made, { recursive: true });
  return made;
};

function repository(it: Program, ...names: readonly string[]): string {
  const top = folder(it, ...names);
  git(top, 'init', '--quiet');
  fs.writeFileSync(path.join(top, 'a.txt'), `${names.join('/')}\n`);
  git(top, 'add', '.');
  git(top, 'commit', '--quiet', '-m', `Start ${names.join('/')}`);
  return top;
}

const save = (it: Program, cwd: string, text: string): unknown => it.askIn({ cwd }, 'save', 'decision', text)['id'];
const found = (it: Program, cwd: string, query: string, ...more: string[]): readonly unknown[] =>
  (it.askIn({ cwd }, 'search', query, ...more)['hits'] as { id: string }[]).map(({ id }) => id);
const keyIn = (it: Program, cwd: string): unknown => it.askIn({ cwd }, 'status')['key'];

describe('a repository is one project', () => {
  it('from its top, its subfolders and its worktrees', () => {
    const it = program();
    const top = repository(it, 'work', 'My_App');
    const below = folder(it, 'work', 'My_App', 'src', 'deep');
    const worktree = path.join(it.folder, 'elsewhere');
    git(top, 'worktree', 'add', '--quiet', worktree);
    const id = save(it, below, 'Use SQLite because it needs no server');
    for (const cwd of [top, below, worktree]) {
      expect(found(it, cwd, 'sqlite'), cwd).toEqual([`decision/${String(id)}`]);
      expect(keyIn(it, cwd), cwd).toBe('my-app');
    }
    expect(save(it, worktree, 'Use Node because we know it')).toBeDefined();
    expect(found(it, top, 'node')).toHaveLength(1);
  });

  it('unless another clone has the same folder name: it gets a key of its own', () => {
    const it = program();
    const [one, two] = [repository(it, 'a', 'app'), repository(it, 'b', 'app')];
    save(it, one, 'Use SQLite because it needs no server');
    save(it, two, 'Use Postgres because we have many writers');
    expect(found(it, one, 'sqlite postgres')).toEqual(['decision/use-sqlite-because-it-needs-no-server']);
    expect(found(it, two, 'sqlite postgres')).toEqual(['decision/use-postgres-because-we-have-many-writers']);
    const { hash } = it.askIn({ cwd: two }, 'status')['project'] as { hash: string };
    expect([keyIn(it, one), keyIn(it, two)]).toEqual(['app', `app-${hash.slice(0, 6)}`]);
  });

  it('and keeps its memory when it is moved', () => {
    const it = program();
    const before = repository(it, 'old', 'app');
    const id = save(it, before, 'Use SQLite because it needs no server');
    const after = path.join(it.folder, 'new', 'renamed');
    fs.mkdirSync(path.dirname(after));
    fs.renameSync(before, after);
    expect(found(it, after, 'sqlite')).toEqual([`decision/${String(id)}`]);
    save(it, after, 'Use Node because we know it');
    expect(keyIn(it, after)).toBe('app');
    expect(found(it, after, 'node')).toHaveLength(1);
  });

  it('and its memory is kept apart from that of a folder without git beside it', () => {
    const it = program();
    const [top, plain] = [repository(it, 'app'), folder(it, 'other')];
    save(it, top, 'Use SQLite because it needs no server');
    expect(found(it, plain, 'sqlite')).toEqual([]);
  });
});

describe('settings', () => {
  it('of a project that has saved nothing yet are not those of another with the same name', () => {
    const it = program();
    const [one, two] = [repository(it, 'a', 'app'), repository(it, 'b', 'app')];
    it.askIn({ cwd: one }, 'config', 'set', 'max_memories_per_category', '1');
    save(it, two, 'Use SQLite because it needs no server');
    expect(it.askIn({ cwd: two }, 'config', 'get', 'max_memories_per_category')).toMatchObject({ value: 100, source: 'default' });
  });
});

describe('--project', () => {
  it('takes a path, a key, a hash or its beginning, in any letter case', () => {
    const it = program();
    const top = repository(it, 'work', 'shop');
    save(it, top, 'Use SQLite because it needs no server');
    const { hash } = it.askIn({ cwd: top }, 'status')['project'] as { hash: string };
    const below = folder(it, 'work', 'shop', 'src');
    for (const word of [top, below, '../work/shop', 'shop', 'SHOP', hash, hash.slice(0, 6)])
      expect(found(it, it.project, 'sqlite', '--project', word), word).toHaveLength(1);
    expect(it.ask('save', 'decision', 'Use Node because we know it', '--project', 'shop')).toMatchObject({ file: expect.stringContaining('/projects/shop/') });
    expect(it.ask('--project', 'shop', 'status')).toMatchObject({ key: 'shop', writes: 2 });
    expect(it.refused('status', '--project', 'nowhere')).toMatchObject({ exit: 4, error: 'NOT_FOUND' });
    expect(fs.existsSync(path.join(it.home, 'projects', 'webshop'))).toBe(false);
  });

  it('finds the memory of a project whose folder is gone, by its key', () => {
    const it = program();
    const top = repository(it, 'work', 'shop');
    save(it, top, 'Use SQLite because it needs no server');
    fs.rmSync(top, { recursive: true });
    expect(found(it, it.project, 'sqlite', '--project', 'shop')).toHaveLength(1);
  });

  it('all searches in every project and says where each hit is from', () => {
    const it = program();
    const [one, two] = [repository(it, 'one'), repository(it, 'two')];
    save(it, one, 'Use SQLite because it needs no server');
    save(it, two, 'SQLite was too slow for us');
    const { hits } = it.ask('search', 'sqlite', '--project', 'all') as { hits: { project: string }[] };
    expect(hits.map(({ project }) => project).toSorted()).toEqual(['one', 'two']);
    expect(it.run('search', 'sqlite', '--project', 'all').out).toMatch(/ {2}(one|two)$/m);
    expect(found(it, it.project, 'sqlite')).toEqual([]);
  });

  it('in a row of a batch counts for that row', () => {
    const it = program();
    const [one, two] = [repository(it, 'one'), repository(it, 'two')];
    save(it, one, 'Use SQLite because it needs no server');
    save(it, two, 'SQLite was too slow for us');
    const rows = [{ query: 'sqlite', project: 'one' }, { query: 'sqlite', project: two }, { query: 'sqlite' }, { query: 'sqlite', project: 'all' }];
    const batch = draftFile(it, 'queries.jsonl', rows.map((row) => JSON.stringify(row)).join('\n'));
    const answers = documentsOf(it.run('search', '--batch', batch, '--json')) as unknown as { hits: { project: string }[] }[];
    expect(answers.map(({ hits }) => hits.map(({ project }) => project).toSorted())).toEqual([['one'], ['two'], [], ['one', 'two']]);
  });
});
