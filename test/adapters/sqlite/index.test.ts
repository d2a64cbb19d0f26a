import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/adapters/sqlite/binding.ts';
import { SqliteIndex } from '../../../src/adapters/sqlite/index.ts';
import type { IndexItem } from '../../../src/core/ports/index.ts';
import { scratch } from '../../scratch.ts';

const item = (name: string, title: string, more: Partial<IndexItem> = {}): IndexItem => ({
  kind: 'record',
  root: 'private',
  path: `decisions/${name}.md`,
  id: name,
  category: 'decision',
  title,
  tags: [],
  status: 'active',
  trust: 'confirmed',
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
  writtenAt: '2026-01-01T00:00:00Z',
  body: title,
  files: [],
  terms: { title: title.toLowerCase(), tags: '', body: '', files: '' },
  packedTexts: '',
  words: title.toLowerCase().split(' '),
  ...more,
});

const put = (index: SqliteIndex, one: IndexItem): void =>
  index.update((change) => change.putFile({ root: one.root, path: one.path, mtimeMs: 1, size: 2, hash: 'h' }, one));

const open = (file = path.join(scratch(), 'index.db')): SqliteIndex => new SqliteIndex(file);

describe('SqliteIndex', () => {
  it('finds items by their terms, the title before the rest', () => {
    const index = open();
    put(index, item('a', 'sqlite storage'));
    put(index, item('b', 'other', { terms: { title: 'other', tags: '', body: 'sqlite sqlite', files: '' } }));
    expect(index.search(['sqlite'], {}, 10).map((hit) => hit.item.id)).toEqual(['a', 'b']);
    expect(index.search(['nothing'], {}, 10)).toEqual([]);
    expect(index.search([], {}, 10)).toEqual([]);
    index.close();
  });

  it('finds the newest of a category without looking at the others, however rare it is', () => {
    const file = path.join(scratch(), 'index.db');
    const index = open(file);
    put(index, item('a', 'older', { category: 'constraint', updatedAt: '2026-01-01T00:00:00Z' }));
    put(index, item('b', 'newer', { category: 'constraint', updatedAt: '2026-01-02T00:00:00Z' }));
    put(index, item('c', 'another'));
    expect(index.recent({ kind: 'record', category: 'constraint', status: 'active' }, 5).map(({ id }) => id)).toEqual(['b', 'a']);
    index.close();
    const database = openDatabase(file);
    const plan = database.prepare("EXPLAIN QUERY PLAN SELECT id FROM items WHERE category = 'constraint' AND status = 'active' ORDER BY updated DESC").all();
    database.close();
    expect(JSON.stringify(plan)).toContain('SEARCH items USING INDEX items_category');
    expect(JSON.stringify(plan)).not.toContain('TEMP B-TREE');
  });

  it('finds what was retired last without looking at what holds', () => {
    const file = path.join(scratch(), 'index.db');
    const index = open(file);
    put(index, item('a', 'older', { status: 'retired', updatedAt: '2026-01-01T00:00:00Z' }));
    put(index, item('b', 'newer', { status: 'retired', updatedAt: '2026-01-02T00:00:00Z' }));
    put(index, item('c', 'in force', { updatedAt: '2026-01-03T00:00:00Z' }));
    expect(index.recent({ kind: 'record', status: 'retired' }, 5).map(({ id }) => id)).toEqual(['b', 'a']);
    index.close();
    const database = openDatabase(file);
    database.exec('DROP INDEX items_retired');
    database.close();
    const without = open(file);
    expect(() => without.recent({ kind: 'record', status: 'retired' }, 5)).toThrow('items_retired');
    without.close();
  });

  it('gives the newest as they are, those of one time by root, the last path first', () => {
    const index = open();
    const odd = { title: 'a "quoted", \\ odd\u0001 title\n\u{1f600} [1,2]', tags: ['x,y', '"z"'], files: ['src/a b.ts'], supersededBy: 'b' };
    put(index, item('b', 'same time'));
    put(index, item('a', 'same time', odd));
    put(index, item('c', 'same time', { root: 'shared' }));
    put(index, item('d', 'newer', { updatedAt: '2026-01-02T00:00:00Z', kind: 'document' }));
    const found = index.recent({}, 3);
    expect(found.map(({ id }) => id)).toEqual(['d', 'b', 'a']);
    expect(index.recent({}, 3, 3).map(({ id }) => id)).toEqual(['c']);
    expect(found).toEqual(['d', 'b', 'a'].flatMap((id) => index.byId(id)));
    expect(found[2]).toMatchObject(odd);
    expect(index.recent({ category: 'analysis' }, 3)).toEqual([]);
    index.close();
  });

  it('replaces an item with its file and drops it with its file', () => {
    const index = open();
    put(index, item('a', 'old words'));
    put(index, item('a', 'new words'));
    expect(index.search(['old'], {}, 10)).toEqual([]);
    expect(index.search(['new'], {}, 10)).toHaveLength(1);
    index.update((change) => change.removeFile({ root: 'private', path: 'decisions/a.md' }));
    expect([index.count(), index.fileCount(), index.search(['new'], {}, 10).length]).toEqual([0, 0, 0]);
    index.close();
  });

  it('keeps the terms of many items that come at once in one piece', () => {
    const file = path.join(scratch(), 'index.db');
    const index = open(file);
    const filler = Array.from({ length: 400 }, (_, nth) => `word${nth}`).join(' ');
    const many = Array.from({ length: 600 }, (_, nth) => item(`n${nth}`, `title ${nth}`, { terms: { title: `t${nth}`, tags: '', body: filler, files: '' } }));
    index.update((change) => {
      for (const one of many) change.putFile({ root: one.root, path: one.path, mtimeMs: 1, size: 2, hash: one.id }, one);
    });
    expect(index.search(['t599'], {}, 10).map((hit) => hit.item.id)).toEqual(['n599']);
    index.close();
    const database = openDatabase(file);
    expect(database.prepare('SELECT count(DISTINCT segid) AS n FROM item_terms_idx').get()).toEqual({ n: 1 });
    database.close();
  });

  it('leaves no log behind when there was no room to write', () => {
    const file = path.join(scratch(), 'index.db');
    const index = open(file);
    const fail = (): void =>
      index.update((change) => {
        change.putFile({ root: 'private', path: 'decisions/a.md', mtimeMs: 1, size: 2, hash: 'h' }, item('a', 'x'.repeat(100_000)));
        throw new Error('database or disk is full');
      });
    expect(fail).toThrow('disk is full');
    expect(index.isClean).toBe(false);
    index.close();
    expect(fs.existsSync(`${file}-wal`) ? fs.statSync(`${file}-wal`).size : 0).toBe(0);
  });

  it('filters by category, status, root and time', () => {
    const index = open();
    put(index, item('a', 'same', { updatedAt: '2026-02-01T00:00:00Z' }));
    put(index, item('b', 'same', { status: 'retired' }));
    put(index, item('c', 'same', { root: 'shared', category: 'runbook', path: 'runbooks/c.md' }));
    const ids = (filter: object): string[] =>
      index
        .search(['same'], filter, 10)
        .map((hit) => hit.item.id)
        .toSorted();
    expect(ids({})).toEqual(['a', 'b', 'c']);
    expect(ids({ status: 'active' })).toEqual(['a', 'c']);
    expect(ids({ category: 'runbook' })).toEqual(['c']);
    expect(ids({ root: 'shared' })).toEqual(['c']);
    expect(ids({ since: '2026-01-15T00:00:00Z' })).toEqual(['a']);
    expect(ids({ until: '2026-01-15T00:00:00Z' })).toEqual(['b', 'c']);
    index.close();
  });

  it('rolls a failed update back whole', () => {
    const index = open();
    expect(() =>
      index.update((change) => {
        change.putFile({ root: 'private', path: 'decisions/a.md', mtimeMs: 1, size: 1, hash: 'h' }, item('a', 'x'));
        throw new Error('stop');
      }),
    ).toThrow('stop');
    expect(index.fileCount()).toBe(0);
    index.close();
  });

  it.each([
    ['no database', (file: string) => fs.writeFileSync(file, 'this is not a database, but long enough to be looked at '.repeat(100))],
    [
      'another version',
      (file: string) => {
        const other = openDatabase(file);
        other.exec('PRAGMA user_version = 999');
        other.close();
      },
    ],
  ])('begins again over a file that is %s', (_what, damage) => {
    const file = path.join(scratch(), 'index.db');
    const first = open(file);
    put(first, item('a', 'x'));
    first.close();
    for (const log of ['-wal', '-shm']) fs.rmSync(`${file}${log}`, { force: true });
    damage(file);
    const second = open(file);
    expect(second.fileCount()).toBe(0);
    put(second, item('b', 'y'));
    expect(second.count()).toBe(1);
    second.close();
  });

  it.each([
    ['overwritten pages', (bytes: Buffer) => bytes.fill(0xaa, 4096)],
    ['a cut-off file', (bytes: Buffer) => bytes.subarray(0, 5_000)],
  ])('recovers from %s met in the middle of work', async (_what, damage) => {
    const file = path.join(scratch(), 'index.db');
    const index = open(file);
    for (let n = 0; n < 200; n++) put(index, item(`i${n}`, `word${n} `.repeat(50)));
    index.close();
    for (const log of ['-wal', '-shm']) fs.rmSync(`${file}${log}`, { force: true });
    fs.writeFileSync(file, damage(fs.readFileSync(file)));
    const damaged = open(file);
    let refilled = 0;
    const found = await damaged.guarded(
      async () => damaged.items().length,
      async () => {
        refilled += 1;
        put(damaged, item('new', 'z'));
      },
    );
    // SQLite takes a short enough file for an empty one, which is refilled from the files as any new index is.
    expect(found).toBe(refilled);
    expect(damaged.search(['word7'], {}, 10)).toEqual([]);
    damaged.close();
  });

  it('lists the files of a folder, not of the folders below or beside it', () => {
    const index = open();
    for (const name of ['decisions/a.md', 'decisions/b.md', 'decisions-old/c.md', 'decisions/deep/d.md', 'top.md']) {
      index.update((change) => change.putFile({ root: 'private', path: name, mtimeMs: 1, size: 1, hash: 'h' }));
    }
    expect(index.states('private', 'decisions').map((file) => file.path)).toEqual(['decisions/a.md', 'decisions/b.md']);
    expect(index.states('private', '').map((file) => file.path)).toEqual(['top.md']);
    expect(index.states()).toHaveLength(5);
    index.close();
  });

  it('gives times back to the last digit, and names as they are', () => {
    const index = open();
    const files = Array.from({ length: 500 }, (_, n) => ({
      root: n % 2 ? ('private' as const) : ('shared' as const),
      path: `decisions/${n} "quoted", line\nbreak, ü.md`,
      mtimeMs: 1_794_843_127_000 + n * 997 + ((n * 7_919) % 1_000_003) / 1_000_003,
      size: n,
    }));
    index.update((change) => files.forEach((file) => change.putFile({ ...file, hash: 'h' })));
    const [byPath, states] = [(one: { path: string }, other: { path: string }) => (one.path < other.path ? -1 : 1), index.states()];
    expect(states.toSorted(byPath)).toEqual(files.toSorted(byPath));
    index.close();
  });
});
