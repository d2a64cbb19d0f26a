import { describe, expect, it } from 'vitest';
import type { FileRef, RootName, Store } from '../../src/core/ports/store.ts';

export interface StoreUnderTest {
  readonly store: Store;
  readonly root: RootName;
}

/** The contract of every store, whatever it keeps its files in. */
export function storeContract(name: string, open: () => StoreUnderTest | Promise<StoreUnderTest>): void {
  const place = (root: RootName, path: string): FileRef => ({ root, path });

  describe(`${name} as a store`, () => {
    it('reads back what was written, with its hash', async () => {
      const { store, root } = await open();
      const entry = await store.write('test', (session) =>
        session.apply({ ...place(root, 'decisions/a.md'), text: 'häß\r\n', op: 'create', id: 'decision/a' }),
      );
      const read = await store.read(place(root, 'decisions/a.md'));
      expect(read).toMatchObject({ text: 'häß\r\n', hash: entry.after });
      expect(await store.stat(place(root, 'decisions/a.md'))).toMatchObject({ size: 7 });
      expect(await store.list(root, 'decisions')).toEqual(['a.md']);
    });

    it('finds nothing where nothing is', async () => {
      const { store, root } = await open();
      expect(await store.read(place(root, 'decisions/none.md'))).toBeUndefined();
      expect(await store.stat(place(root, 'none'))).toBeUndefined();
      expect(await store.list(root, 'none')).toEqual([]);
      expect(await store.journal.entries()).toEqual([]);
      expect(await store.version('0'.repeat(32))).toBeUndefined();
    });

    it('keeps every superseded version and journals each write in order', async () => {
      const { store, root } = await open();
      const write = (text?: string) =>
        store.write('test', (session) => session.apply({ ...place(root, 'a.md'), op: 'write', ...(text !== undefined && { text }) }));
      const [first, second, third] = [await write('one'), await write('two'), await write()];
      expect(first).toMatchObject({ seq: 1, group: '1', actor: 'test' });
      expect(first.before).toBeUndefined();
      expect(second).toMatchObject({ seq: 2, before: first.after });
      expect(third).toMatchObject({ seq: 3, before: second.after });
      expect(third.after).toBeUndefined();
      expect(await store.version(first.after!)).toBe('one');
      expect(await store.version(second.after!)).toBe('two');
      expect(await store.read(place(root, 'a.md'))).toBeUndefined();
      expect((await store.journal.entries()).map(({ seq }) => seq)).toEqual([1, 2, 3]);
    });

    it('puts the writes of one session into one group', async () => {
      const { store, root } = await open();
      await store.write('test', async (session) => {
        await session.apply({ ...place(root, 'a.md'), text: 'a', op: 'create' });
        await session.apply({ ...place(root, 'b.md'), text: 'b', op: 'create' });
      });
      await store.write('test', (session) => session.apply({ ...place(root, 'c.md'), text: 'c', op: 'create' }));
      expect((await store.journal.entries()).map(({ group }) => group)).toEqual(['1', '1', '3']);
    });

    it('gives a journal position from which only later writes are read', async () => {
      const { store, root } = await open();
      await store.write('test', (session) => session.apply({ ...place(root, 'a.md'), text: 'a', op: 'create' }));
      const position = await store.journal.position();
      expect(await store.journal.entries(position)).toEqual([]);
      await store.write('test', (session) => session.apply({ ...place(root, 'b.md'), text: 'b', op: 'create' }));
      expect((await store.journal.entries(position)).map(({ path }) => path)).toEqual(['b.md']);
    });

    it('replaces a view without a trace', async () => {
      const { store, root } = await open();
      await store.write('test', async (session) => {
        await session.view(place(root, 'index.md'), 'one');
        await session.view(place(root, 'index.md'), 'two');
      });
      expect((await store.read(place(root, 'index.md')))?.text).toBe('two');
      expect(await store.journal.entries()).toEqual([]);
    });

    it('runs writes one after the other, also after one has failed', async () => {
      const { store, root } = await open();
      const order: string[] = [];
      const slow = store.write('test', async () => {
        order.push('in');
        await new Promise((resolve) => setTimeout(resolve, 20));
        order.push('out');
      });
      const failing = store.write('test', async () => {
        order.push('fails');
        throw new Error('no');
      });
      const last = store.write('test', async (session) => {
        order.push('last');
        await session.apply({ ...place(root, 'a.md'), text: 'a', op: 'create' });
      });
      await slow;
      await expect(failing).rejects.toThrow('no');
      await last;
      expect(order).toEqual(['in', 'out', 'fails', 'last']);
    });

    it('tells which files are no longer as they were', async () => {
      const { store, root } = await open();
      const write = (path: string, text: string) => store.write('test', (session) => session.apply({ ...place(root, path), text, op: 'write' }));
      for (const path of ['a.md', 'b.md', 'c.md']) await write(path, 'one');
      const known = [];
      for (const path of ['a.md', 'b.md', 'c.md']) known.push({ ...place(root, path), ...(await store.stat(place(root, path)))! });
      expect(await store.changed(known)).toEqual([]);
      await write('b.md', 'longer');
      await store.write('test', (session) => session.apply({ ...place(root, 'c.md'), op: 'write' }));
      expect((await store.changed(known)).map(({ path }) => path)).toEqual(['b.md', 'c.md']);
    });

    it('forgets a version for good', async () => {
      const { store, root } = await open();
      const write = (text: string) => store.write('test', (session) => session.apply({ ...place(root, 'a.md'), text, op: 'write' }));
      const first = await write('one');
      await write('two');
      await store.forget([first.after!]);
      expect(await store.version(first.after!)).toBeUndefined();
    });

    it.each(['../x.md', 'decisions/../../x.md', '/etc/passwd', '', 'a\0b', '..'])('refuses to locate %j', async (target) => {
      const { store, root } = await open();
      expect(await store.locate(root, target)).toMatchObject({ ok: false, error: { code: 'PATH_ERROR' } });
    });

    it('locates a file by its relative and by its absolute path', async () => {
      const { store, root } = await open();
      const wanted = { ok: true, value: { root, path: 'decisions/a.md' } };
      expect(await store.locate(root, 'decisions/./a.md')).toEqual(wanted);
      expect(await store.locate(root, store.absolute(place(root, 'decisions/a.md')))).toEqual(wanted);
    });
  });
}
