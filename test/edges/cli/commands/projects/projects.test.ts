import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { sandbox } from '../../../../adapters/git/sandbox.ts';
import { documentsOf, draftFile, program, type Program } from '../../program.ts';

const { git } = sandbox();

const folder = (cli: Program, ...names: readonly string[]): string => {
  const made = path.join(cli.folder, ...names);
  fs.mkdirSync(made, { recursive: true });
  return made;
};

function repository(cli: Program, ...names: readonly string[]): string {
  const top = folder(cli, ...names);
  git(top, 'init', '--quiet');
  fs.writeFileSync(path.join(top, 'a.txt'), `${names.join('/')}\n`);
  git(top, 'add', '.');
  git(top, 'commit', '--quiet', '-m', `Start ${names.join('/')}`);
  return top;
}

const save = (cli: Program, cwd: string, text: string): unknown => cli.askIn({ cwd }, 'save', 'decision', text)['id'];
const found = (cli: Program, cwd: string, query: string, ...more: string[]): readonly unknown[] =>
  (cli.askIn({ cwd }, 'search', query, ...more)['hits'] as { id: string }[]).map(({ id }) => id);
const keyIn = (cli: Program, cwd: string): unknown => cli.askIn({ cwd }, 'status')['key'];

describe('a repository is one project', () => {
  it('from its top, its subfolders and its worktrees', () => {
    const cli = program();
    const top = repository(cli, 'work', 'My_App');
    const below = folder(cli, 'work', 'My_App', 'src', 'deep');
    const worktree = path.join(cli.folder, 'elsewhere');
    git(top, 'worktree', 'add', '--quiet', worktree);
    const id = save(cli, below, 'Use SQLite because it needs no server');
    for (const cwd of [top, below, worktree]) {
      expect(found(cli, cwd, 'sqlite'), cwd).toEqual([id]);
      expect(keyIn(cli, cwd), cwd).toBe('my-app');
    }
    expect(save(cli, worktree, 'Use Node because we know it')).toBeDefined();
    expect(found(cli, top, 'node')).toHaveLength(1);
  });

  it('unless another clone has the same folder name: it gets a key of its own', () => {
    const cli = program();
    const [one, two] = [repository(cli, 'a', 'app'), repository(cli, 'b', 'app')];
    save(cli, one, 'Use SQLite because it needs no server');
    save(cli, two, 'Use Postgres because we have many writers');
    expect(found(cli, one, 'sqlite postgres')).toEqual(['decision/use-sqlite-because-it-needs-no-server']);
    expect(found(cli, two, 'sqlite postgres')).toEqual(['decision/use-postgres-because-we-have-many-writers']);
    const { hash } = cli.askIn({ cwd: two }, 'status')['project'] as { hash: string };
    expect([keyIn(cli, one), keyIn(cli, two)]).toEqual(['app', `app-${hash.slice(0, 6)}`]);
  });

  it('and keeps its memory when it is moved', () => {
    const cli = program();
    const before = repository(cli, 'old', 'app');
    const id = save(cli, before, 'Use SQLite because it needs no server');
    const after = path.join(cli.folder, 'new', 'renamed');
    fs.mkdirSync(path.dirname(after));
    fs.renameSync(before, after);
    expect(found(cli, after, 'sqlite')).toEqual([id]);
    save(cli, after, 'Use Node because we know it');
    expect(keyIn(cli, after)).toBe('app');
    expect(found(cli, after, 'node')).toHaveLength(1);
  });

  it('and its memory is kept apart from that of a folder without git beside it', () => {
    const cli = program();
    const [top, plain] = [repository(cli, 'app'), folder(cli, 'other')];
    save(cli, top, 'Use SQLite because it needs no server');
    expect(found(cli, plain, 'sqlite')).toEqual([]);
  });
});

describe('settings', () => {
  it('of a project that has saved nothing yet are not those of another with the same name', () => {
    const cli = program();
    const [one, two] = [repository(cli, 'a', 'app'), repository(cli, 'b', 'app')];
    cli.askIn({ cwd: one }, 'config', 'set', 'max_memories_per_category', '1');
    save(cli, two, 'Use SQLite because it needs no server');
    expect(cli.askIn({ cwd: two }, 'config', 'get', 'max_memories_per_category')).toMatchObject({ value: 100, source: 'default' });
  });
});

test('another repository in the folder of a project gets none of its memory until the user merges the two', () => {
  const cli = program();
  const top = repository(cli, 'work', 'shop');
  cli.runIn({ cwd: top }, 'start');
  save(cli, top, 'Use SQLite because it needs no server');
  fs.renameSync(top, `${top}-aside`);
  fs.renameSync(repository(cli, 'download', 'shop'), top);
  const { out } = cli.runIn({ cwd: top });
  expect(out).toContain('memory is off and holds nothing yet');
  expect(found(cli, top, 'sqlite')).toEqual([]);
  cli.runIn({ cwd: top }, 'start');
  expect(cli.runIn({ cwd: top }, 'doctor').out).toContain('If they are one project: holdfast project merge shop');
  expect(found(cli, `${top}-aside`, 'sqlite')).toHaveLength(1);
  expect(found(cli, top, 'sqlite')).toEqual([]);
});

describe('--project', () => {
  it('takes a path, a key, a hash or its beginning, in any letter case', () => {
    const cli = program();
    const top = repository(cli, 'work', 'shop');
    save(cli, top, 'Use SQLite because it needs no server');
    const { hash } = cli.askIn({ cwd: top }, 'status')['project'] as { hash: string };
    const below = folder(cli, 'work', 'shop', 'src');
    for (const word of [top, below, '../work/shop', 'shop', 'SHOP', hash, hash.slice(0, 6)])
      expect(found(cli, cli.project, 'sqlite', '--project', word), word).toHaveLength(1);
    expect(cli.ask('save', 'decision', 'Use Node because we know it', '--project', 'shop')).toMatchObject({ file: expect.stringContaining('/projects/shop/') });
    expect(cli.ask('--project', 'shop', 'status')).toMatchObject({ key: 'shop', writes: 2 });
    expect(cli.refused('status', '--project', 'nowhere')).toMatchObject({ exit: 4, error: 'NOT_FOUND' });
    expect(fs.existsSync(path.join(cli.home, 'projects', 'webshop'))).toBe(false);
  });

  it('makes no project of a path that is not there, and still opens one whose folder is gone', () => {
    const cli = program();
    const top = repository(cli, 'work', 'shop');
    save(cli, top, 'Use SQLite because it needs no server');
    const typo = path.join(cli.folder, 'work', 'shpo');
    expect(cli.refused('save', 'decision', 'Use Node because we know it', '--project', typo)).toMatchObject({ exit: 4, error: 'NOT_FOUND' });
    expect(fs.readdirSync(path.join(cli.home, 'projects'))).toEqual(['shop']);
    fs.renameSync(top, `${top}-elsewhere`);
    expect(found(cli, cli.project, 'sqlite', '--project', top)).toHaveLength(1);
  });

  it('finds the memory of a project whose folder is gone, by its key', () => {
    const cli = program();
    const top = repository(cli, 'work', 'shop');
    save(cli, top, 'Use SQLite because it needs no server');
    fs.rmSync(top, { recursive: true });
    expect(found(cli, cli.project, 'sqlite', '--project', 'shop')).toHaveLength(1);
  });

  it('all searches in every project and says where each hit is from', () => {
    const cli = program();
    const [one, two] = [repository(cli, 'one'), repository(cli, 'two')];
    save(cli, one, 'Use SQLite because it needs no server');
    save(cli, two, 'SQLite was too slow for us');
    const { hits } = cli.ask('search', 'sqlite', '--project', 'all') as { hits: { project: string }[] };
    expect(hits.map(({ project }) => project).toSorted()).toEqual(['one', 'two']);
    expect(cli.run('search', 'sqlite', '--project', 'all').out).toMatch(/ {2}(one|two)$/m);
    expect(found(cli, cli.project, 'sqlite')).toEqual([]);
  });

  it('in a row of a batch counts for that row', () => {
    const cli = program();
    const [one, two] = [repository(cli, 'one'), repository(cli, 'two')];
    save(cli, one, 'Use SQLite because it needs no server');
    save(cli, two, 'SQLite was too slow for us');
    const rows = [{ query: 'sqlite', project: 'one' }, { query: 'sqlite', project: two }, { query: 'sqlite' }, { query: 'sqlite', project: 'all' }];
    const batch = draftFile(cli, 'queries.jsonl', rows.map((row) => JSON.stringify(row)).join('\n'));
    const answers = documentsOf(cli.run('search', '--batch', batch, '--json')) as unknown as { hits: { project: string }[] }[];
    expect(answers.map(({ hits }) => hits.map(({ project }) => project).toSorted())).toEqual([['one'], ['two'], [], ['one', 'two']]);
  });
});
