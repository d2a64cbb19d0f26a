import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { type Cluster, startCluster } from '../../../src/adapters/postgres/cluster/cluster.ts';
import { openPostgres, type Postgres } from '../../../src/adapters/postgres/connect.ts';
import { APP_ROLE, migrateDatabase } from '../../../src/adapters/postgres/migrate.ts';
import { createOrganisation, createProject } from '../../../src/adapters/postgres/organisations.ts';
import { PostgresStore } from '../../../src/adapters/postgres/store.ts';
import { PATIENCE } from '../../patience.ts';
import { rounds } from '../../rounds.ts';
import { hasPostgres, serverBinaries } from '../../postgres/cluster.ts';

const md5 = (bytes: Buffer): string => createHash('md5').update(bytes).digest('hex');
const WRITERS = 6;

async function ownCluster(): Promise<Cluster> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-crash-'));
  const cluster = await startCluster({ binaries: serverBinaries() ?? '', folder });
  onTestFinished(async () => {
    await cluster.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  });
  await migrateDatabase(cluster.url);
  return cluster;
}

const isGone = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
};

/** Writes until it is stopped, retries after failures, and records acknowledged writes. */
async function writeOn(store: PostgresStore, name: string, acknowledged: Map<string, string>, goesOn: () => boolean): Promise<number> {
  let failures = 0;
  for (let nth = 0; goesOn(); nth++) {
    const [file, text] = [`decisions/${name}-${nth % 7}.md`, `${name} ${nth}`];
    try {
      await store.write(name, async (session) => {
        await session.apply({ root: 'shared', path: file, text, op: 'write' });
        await session.apply({ root: 'shared', path: `${file}.twin`, text, op: 'write' });
      });
      acknowledged.set(file, text);
    } catch {
      failures++;
      // Whether it was committed is unknown: the answer did not arrive.
      acknowledged.delete(file);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  return failures;
}

it.skipIf(!hasPostgres)('a PostgreSQL that is killed under load loses no acknowledged write, and the server goes on when it is back', async () => {
  const cluster = await ownCluster();
  const opened: Postgres = await openPostgres(cluster.url, { role: APP_ROLE, connections: WRITERS });
  const org = await createOrganisation(opened, 'acme');
  const project = await createProject(opened, org, 'web');
  const open = (): PostgresStore => new PostgresStore({ postgres: opened, org, project, roots: { shared: '/acme/web' }, md5, now: Date.now });
  for (let round = 0; round < rounds(1, 20); round++) {
    const acknowledged = new Map<string, string>();
    let isOver = false;
    const writers = Array.from({ length: WRITERS }, (_, nth) => writeOn(open(), `w${round}-${nth}`, acknowledged, () => !isOver));
    await vi.waitUntil(() => acknowledged.size > 10, PATIENCE);
    const pid = cluster.pid();
    process.kill(pid, 'SIGKILL');
    await vi.waitUntil(() => isGone(pid), PATIENCE);
    const before = new Map(acknowledged);
    await vi.waitUntil(
      async () =>
        cluster.start().then(
          () => true,
          () => false,
        ),
      { ...PATIENCE, interval: 200 },
    );
    // Everybody writes again.
    await vi.waitUntil(() => [...acknowledged].some(([file, text]) => before.get(file) !== text), PATIENCE);
    isOver = true;
    const failures = await Promise.all(writers);
    expect(failures.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(0);
    const store = open();
    for (const [file, text] of acknowledged) {
      expect((await store.read({ root: 'shared', path: file }))?.text).toBe(text);
      expect((await store.read({ root: 'shared', path: `${file}.twin` }))?.text).toBe(text);
    }
    // Whole writes or none: twins are equal, and the journal has the hash of each file.
    const entries = await store.journal.entries();
    expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, nth) => nth + 1));
    const last = new Map(entries.map(({ path: file, after }) => [file, after]));
    for (const [file, after] of last) expect((await store.read({ root: 'shared', path: file }))?.hash).toBe(after);
  }
  await opened.close();
});
