import { describe, expect, it, onTestFinished } from 'vitest';
import { configFiles } from '../../../src/adapters/files/config-files.ts';
import { PostgresStore } from '../../../src/adapters/postgres/store.ts';
import { md5 } from '../../../src/adapters/process/environment.ts';
import { timers } from '../../../src/adapters/process/running.ts';
import { SqliteIndex } from '../../../src/adapters/sqlite/index.ts';
import { loadConfig } from '../../../src/app/config/load.ts';
import { undo } from '../../../src/app/history/undo.ts';
import { refresh } from '../../../src/app/index/refresh.ts';
import { composeMemory } from '../../../src/app/memory/open.ts';
import type { Memory } from '../../../src/app/memory/memory.ts';
import { searchMemory } from '../../../src/app/search/ranking.ts';
import { forgetForGood } from '../../../src/app/write/forget.ts';
import { writing } from '../../../src/app/write/transaction.ts';
import { must, save } from '../../app/memory.ts';
import { connectRaw, freshProject, hasPostgres } from '../../postgres/cluster.ts';

/** One project opened by as many servers as asked for. */
async function opened(servers: number): Promise<{ readonly memories: readonly Memory[]; readonly adminUrl: string; readonly org: number }> {
  const { postgres, org, project, adminUrl } = await freshProject();
  const memories = Array.from({ length: servers }, () => {
    const index = new SqliteIndex(':memory:');
    const rolledBack = (): void =>
      index.update((change) => {
        change.clear();
        change.position(0);
      });
    const machine = {
      now: Date.now,
      md5,
      timers,
      openIndex: () => index,
      openStore: ({ roots }: { roots: ConstructorParameters<typeof PostgresStore>[0]['roots'] }) =>
        new PostgresStore({ postgres, org, project, roots, md5, now: Date.now, rolledBack }),
    };
    const composed = composeMemory(machine, {
      key: 'web',
      roots: { shared: '/acme/web', private: '/acme/web-views' },
      state: '',
      loaded: loadConfig(configFiles({})),
    });
    onTestFinished(() => composed.close());
    return composed.memory;
  });
  return { memories, adminUrl, org };
}

const titles = (memory: Memory): readonly string[] => memory.index.items({ kind: 'record', status: 'active' }).map(({ title }) => title);
const inShared = { root: 'shared' } as const;

describe.skipIf(!hasPostgres)('a memory on PostgreSQL', () => {
  it('is saved, found, changed by two servers in turn, and undone', async () => {
    const { memories } = await opened(2);
    const [one, other] = memories as [Memory, Memory];
    must(await save(one, 'decision', { title: 'Tokens are rotated weekly' }, inShared));
    must(await save(other, 'decision', { title: 'Backups go to another region' }, inShared));
    for (const memory of memories) {
      const hits = await searchMemory([{ memory }], { query: 'backups region', limit: 5 });
      expect(hits[0]?.title).toBe('Backups go to another region');
    }
    must(await undo(one, { actor: 'test', count: 1 }));
    await refresh(other);
    expect(titles(other)).toEqual(['Tokens are rotated weekly']);
  });

  it('leaves nothing in the index of a write that was taken back', async () => {
    const { memories } = await opened(1);
    const [memory] = memories as [Memory];
    must(await save(memory, 'decision', { title: 'Tokens are rotated weekly' }, inShared));
    const [file] = memory.index.files().filter(({ path }) => path.startsWith('decisions/'));
    const failing = writing(memory, { actor: 'test' }, async (write) => {
      const text = (await memory.store.read(file!))?.text.replaceAll('weekly', 'never') ?? '';
      await write.apply({ root: 'shared', path: file!.path, text, op: 'update' });
      await refresh(memory, 'journal');
      expect(titles(memory)).toEqual(['Tokens are rotated never']);
      throw new Error('the disk of the database is full');
    });
    await expect(failing).rejects.toThrow('the disk of the database is full');
    await refresh(memory, 'journal');
    expect(titles(memory)).toEqual(['Tokens are rotated weekly']);
  });

  it('forgets a record for good in one transaction', async () => {
    const { memories, adminUrl, org } = await opened(1);
    const [memory] = memories as [Memory];
    const { place } = must(await save(memory, 'decision', { title: 'The zanzibar account is closed' }, inShared));
    must(await save(memory, 'decision', { title: 'Backups go to another region' }, inShared));
    await forgetForGood(memory, [place], { actor: 'test' });
    const client = await connectRaw(adminUrl);
    onTestFinished(() => client.end());
    for (const table of ['files', 'versions', 'journal']) {
      const { rows } = await client.query<{ row: string }>(
        `select ${table === 'journal' ? 'entry::text' : "encode(content, 'escape')"} as row from ${table} where org = $1`,
        [org],
      );
      expect(rows.filter(({ row }) => row.includes('zanzibar'))).toEqual([]);
    }
    expect(titles(memory)).toEqual(['Backups go to another region']);
  });
});
