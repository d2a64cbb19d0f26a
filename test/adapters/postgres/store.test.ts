import { createHash } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PostgresStore } from '../../../src/adapters/postgres/store.ts';
import { storeContract } from '../../contract/store.ts';
import { connectRaw, freshProject, hasPostgres } from '../../postgres/cluster.ts';

const md5 = (bytes: Buffer): string => createHash('md5').update(bytes).digest('hex');

async function open() {
  const { postgres, org, project, adminUrl } = await freshProject();
  const again = (rolledBack?: () => void): PostgresStore =>
    new PostgresStore({ postgres, org, project, roots: { shared: '/acme/web' }, md5, now: Date.now, ...(rolledBack && { rolledBack }) });
  return { store: again(), root: 'shared' as const, again, adminUrl };
}

describe.skipIf(!hasPostgres)('on PostgreSQL', () => {
  storeContract('PostgresStore', open);

  describe('PostgresStore', () => {
    const at = (path: string) => ({ root: 'shared' as const, path });
    const put = (store: PostgresStore, path: string, text: string) => store.write('test', (session) => session.apply({ ...at(path), text, op: 'write' }));

    it('takes back the whole of a write that throws, and says so', async () => {
      const { again } = await open();
      const reports: string[] = [];
      const store = again(() => reports.push('rolled back'));
      await put(store, 'a.md', 'one');
      const failing = store.write('test', async (session) => {
        await session.apply({ ...at('a.md'), text: 'two', op: 'write' });
        await session.apply({ ...at('b.md'), text: 'b', op: 'create' });
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      expect(reports).toEqual(['rolled back']);
      expect((await store.read(at('a.md')))?.text).toBe('one');
      expect(await store.list('shared', '')).toEqual(['a.md']);
      expect(await store.journal.entries()).toHaveLength(1);
    });

    it('gives a position only once, also when the write was taken back', async () => {
      const { store } = await open();
      const seen: number[] = [];
      const failing = store.write('test', async (session) => {
        await session.apply({ ...at('a.md'), text: 'a', op: 'create' });
        seen.push(await store.journal.position());
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      expect(await store.journal.position()).toBe(0);
      await put(store, 'b.md', 'b');
      expect(await store.journal.position()).toBeGreaterThan(seen[0]!);
    });

    it('shows a writer what it has written, and others nothing of it yet', async () => {
      const { store, again } = await open();
      const other = again();
      await store.write('test', async (session) => {
        await session.apply({ ...at('a.md'), text: 'a', op: 'create' });
        expect((await store.read(at('a.md')))?.text).toBe('a');
        expect(await store.journal.entries()).toHaveLength(1);
        expect(await other.read(at('a.md'))).toBeUndefined();
      });
      expect((await other.read(at('a.md')))?.text).toBe('a');
    });

    it('lets many writers of several servers write one after the other', async () => {
      const { again } = await open();
      const stores = [again(), again(), again()];
      await Promise.all(Array.from({ length: 30 }, (_, n) => put(stores[n % 3]!, `f${n % 5}.md`, `text ${n}`)));
      const entries = await stores[0]!.journal.entries();
      expect(entries.map(({ seq }) => seq)).toEqual(Array.from({ length: 30 }, (_, n) => n + 1));
      // Each saw the result of the one before.
      for (const name of ['f0.md', 'f1.md', 'f2.md', 'f3.md', 'f4.md']) {
        const own = entries.filter(({ path }) => path === name);
        expect(own.slice(1).map(({ before }) => before)).toEqual(own.slice(0, -1).map(({ after }) => after));
      }
    });

    it('gives up waiting for another writer', async () => {
      const { postgres, org, project } = await freshProject();
      const open1 = (lockMs: number) => new PostgresStore({ postgres, org, project, roots: { shared: '/acme/web' }, md5, now: Date.now, lockMs });
      let free = (): void => undefined;
      const holding = new Promise<void>((resolve) => (free = resolve));
      let hasBegun = (): void => undefined;
      const begun = new Promise<void>((resolve) => (hasBegun = resolve));
      const slow = open1(60_000).write('test', () => {
        hasBegun();
        return holding;
      });
      await begun;
      await expect(put(open1(50), 'a.md', 'a')).rejects.toMatchObject({ code: 'LOCK_TIMEOUT' });
      free();
      await slow;
      await put(open1(60_000), 'a.md', 'a');
    });

    it('keeps every character, and none that PostgreSQL could not keep', async () => {
      const { store } = await open();
      const text = 'a\0b \u{1f600} \\ \' " $1 %s \r\n\u2028';
      await store.write('test', (session) => session.apply({ ...at('a.md'), text, op: 'create', title: text, reason: text }));
      expect((await store.read(at('a.md')))?.text).toBe(text);
      expect((await store.journal.entries())[0]).toMatchObject({ title: text, reason: text });
    });

    it('copies a file with its bytes and times', async () => {
      const { store } = await open();
      await put(store, 'a.md', 'one');
      await store.write('test', (session) => session.apply({ ...at('b.md'), copyOf: at('a.md'), op: 'create' }));
      expect(await store.stat(at('b.md'))).toEqual(await store.stat(at('a.md')));
      expect((await store.read(at('b.md')))?.text).toBe('one');
    });

    it('erases a file so that no table holds its text, title or name', async () => {
      const { store, adminUrl } = await open();
      const secret = 'zanzibar';
      const write = (path: string, text: string) =>
        store.write('test', (session) => session.apply({ ...at(path), text, op: 'write', title: `about ${secret}`, reason: secret }));
      const entries = [await write(`decisions/${secret}.md`, `${secret} one`), await write(`decisions/${secret}.md`, `${secret} two`)];
      await put(store, 'decisions/b.md', 'stays');
      await store.write('test', async (session) => {
        await session.pending([at(`decisions/${secret}.md`)]);
        await session.erase([at(`decisions/${secret}.md`)], new Set(entries.map(({ after }) => after!)));
        await session.erased();
      });
      const client = await connectRaw(adminUrl);
      onTestFinished(() => client.end());
      const { rows } = await client.query<{ name: string }>("select tablename as name from pg_tables where schemaname = 'holdfast'");
      for (const { name } of rows) {
        const found = await client.query(`select t::text from ${name} t where t::text ilike $1 or t::text like $2`, [
          `%${secret}%`,
          `%${Buffer.from(secret).toString('hex')}%`,
        ]);
        expect(found.rows, name).toEqual([]);
      }
      expect((await store.journal.entries()).map(({ op, path }) => [op, path])).toEqual([
        ['forget', 'decisions/.forgotten'],
        ['forget', 'decisions/.forgotten'],
        ['write', 'decisions/b.md'],
        ['forget', '.forgotten'],
      ]);
      expect(await store.list('shared', 'decisions')).toEqual(['b.md']);
    });

    it('refuses a name that differs in letter case only', async () => {
      const { store } = await open();
      await put(store, 'decisions/a.md', 'a');
      expect(await store.locate('shared', 'decisions/A.md')).toMatchObject({ ok: false, error: { code: 'PATH_ERROR' } });
      expect(await store.locate('shared', 'decisions/A.md', 'free')).toMatchObject({ ok: true });
    });
  });
});
