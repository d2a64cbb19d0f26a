import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ArchiveFolder } from '../../../src/adapters/episodes/archive.ts';
import { inEpisodeBatch } from '../../../src/adapters/postgres/search-index/batches.ts';
import { PostgresRecallIndex } from '../../../src/adapters/postgres/search-index/recall-index.ts';
import { createProject } from '../../../src/adapters/postgres/organisations.ts';
import { md5 } from '../../../src/adapters/process/environment.ts';
import { MessageSearchIndex } from '../../../src/adapters/sqlite/episodes/message-search.ts';
import { SqliteEpisodes } from '../../../src/adapters/sqlite/episodes/writer.ts';
import { transactionKeeper } from '../../../src/app/episodes/batch-transactions.ts';
import { batchWriter } from '../../../src/app/episodes/batch-writer.ts';
import { openWithIndex } from '../../../src/app/episodes/store.ts';
import type { Message } from '../../../src/core/episode/episode.ts';
import type { EpisodeKeeper, EpisodePart, ProjectBatch } from '../../../src/core/ports/episodes.ts';
import type { RecallIndex } from '../../../src/recall/port.ts';
import { rankChunks } from '../../../src/recall/rank/rank-chunks.ts';
import { connectRaw, freshProject, hasPostgres } from '../../postgres/cluster.ts';
import { scratch } from '../../scratch.ts';

const WORDS =
  'cache token refresh login deploy rollback migration index schema worker queue retry timeout parser cursor shard replica backup garden holiday piano dinner'.split(
    ' ',
  );
const NOW = Date.UTC(2026, 5, 1);

/** A sequence that looks random and is the same each time. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * sides);
  };
}

/** Coding sessions, or talks between two people, of some messages each. */
function parts(kind: 'claude-code' | 'chat', count: number, seed: number): readonly EpisodePart[] {
  const roll = dice(seed);
  const sentence = (): string => `${Array.from({ length: 6 + roll(30) }, () => WORDS[roll(WORDS.length)]).join(' ')}${roll(4) === 0 ? '?' : '.'}`;
  return Array.from({ length: count }, (_, nth) => {
    const sessionId = `${kind}-${seed}-${nth}`;
    const entries = Array.from({ length: 4 + roll(12) }, (_unused, at): Message => ({
      id: `${sessionId}-${at}`,
      sessionId,
      role: at % 2 === 0 ? 'user' : 'assistant',
      at: new Date(NOW - (count - nth) * 86_400_000 + at * 60_000).toISOString(),
      text: `${sentence()} ${sentence()}`,
      ...(kind === 'chat' && { speaker: at % 2 === 0 ? 'Ada' : 'Grace' }),
      ...(kind !== 'chat' &&
        at % 2 === 1 && { toolCalls: [{ id: `${at}`, name: 'Edit', input: `src/${WORDS[roll(5)]}.ts`, files: [`src/${WORDS[roll(5)]}.ts`] }] }),
    }));
    return { facts: { sessionId, client: kind, project: '/work/web', branch: 'main' }, source: `/logs/${sessionId}.jsonl`, entries };
  });
}

const QUESTIONS = [
  'why did the login token refresh time out',
  'migration of the schema',
  'rolback of the deploy',
  'what did Ada say about the garden and the holiday?',
  'src/cache.ts',
  'piano dinner "worker queue"',
  'replicas',
  'backup yesterday',
];

interface Both {
  readonly files: RecallIndex;
  readonly inPostgres: <T>(work: (index: RecallIndex) => Promise<T>) => Promise<T>;
}

async function keepAll(keeper: EpisodeKeeper, batches: readonly ProjectBatch[]) {
  const stored = [];
  for (const batch of batches) stored.push(...(await keeper.take([batch])));
  await keeper.settle();
  await keeper.close();
  return stored.map(({ messages, repeated, grown, sessions }) => ({ messages, repeated, grown, sessions: sessions.length }));
}

/** The same batches on files and in PostgreSQL. */
async function onBoth(batches: readonly ProjectBatch[]): Promise<Both & { readonly stored: readonly unknown[] }> {
  const folder = scratch();
  const file = path.join(folder, 'episodes.db');
  const files = batchWriter(() => {
    const index = new SqliteEpisodes(file);
    return openWithIndex({ index, archive: new ArchiveFolder(path.join(folder, 'archive')), md5 }, () => index.close());
  });
  const { postgres, org, project } = await freshProject();
  // Numbers of units differ between projects, so that nothing depends on them.
  const rows = transactionKeeper((batch, work) => inEpisodeBatch(postgres, { org, project }, batch, work), md5);
  const stored = [await keepAll(files, batches), await keepAll(rows, batches)];
  const search = new MessageSearchIndex(file, 'web');
  onTestFinished(() => search.close());
  return { files: search, stored, inPostgres: (work) => postgres.asOrganisation(org, (sql) => work(new PostgresRecallIndex(sql, { org, project }))) };
}

async function ask(index: RecallIndex, text: string) {
  const { hits } = await rankChunks([{ index }], { text, limit: 10, now: NOW });
  return hits.map(({ candidate, score }) => [candidate.row.id, candidate.chunk.messageId, candidate.chunk.text, Number(score.toFixed(6))]);
}

const batchesOf = (all: readonly EpisodePart[], size: number): readonly ProjectBatch[] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, nth) => ({ key: 'web', archiveBytes: 1_000_000, parts: all.slice(nth * size, (nth + 1) * size) }));

describe.skipIf(!hasPostgres)('conversations on PostgreSQL', () => {
  it.each(['claude-code', 'chat'] as const)('are found with the same hits and scores as on files: %s', async (kind) => {
    const { files, inPostgres, stored } = await onBoth(batchesOf(parts(kind, 40, 7), 9));
    expect(stored[1]).toEqual(stored[0]);
    for (const question of QUESTIONS) {
      const expected = await ask(files, question);
      expect(expected.length, question).toBeGreaterThan(0);
      expect(await inPostgres((index) => ask(index, question)), question).toEqual(expected);
    }
    const filter = { since: NOW - 12 * 86_400_000, until: NOW - 5 * 86_400_000 };
    const within = async (index: RecallIndex) =>
      (await rankChunks([{ index }], { text: 'deploy', limit: 10, now: NOW, filter })).hits.map(({ candidate }) => candidate.row.id);
    expect((await within(files)).length).toBeGreaterThan(0);
    expect(await inPostgres(within)).toEqual(await within(files));
  });

  it('are taken in once, however often they come, and grow', async () => {
    const [session] = parts('claude-code', 1, 3);
    const whole = session!;
    const cut = { ...whole, entries: whole.entries.slice(0, 3).map((entry, nth) => (nth === 2 ? { ...entry, text: 'cut' } : entry)) };
    const { files, inPostgres, stored } = await onBoth([cut, cut, whole, whole].map((part) => ({ key: 'web', archiveBytes: 1_000_000, parts: [part] })));
    expect(stored[1]).toEqual(stored[0]);
    expect(await inPostgres(async (index) => index.size())).toEqual(await files.size());
    for (const question of QUESTIONS) expect(await inPostgres((index) => ask(index, question))).toEqual(await ask(files, question));
  });

  it('keep their text in the archive', async () => {
    const { postgres, org, project, adminUrl } = await freshProject();
    const all = parts('claude-code', 3, 5);
    await keepAll(
      transactionKeeper((batch, work) => inEpisodeBatch(postgres, { org, project }, batch, work), md5),
      batchesOf(all, 2),
    );
    const client = await connectRaw(adminUrl);
    onTestFinished(() => client.end());
    const { rows } = await client.query<{ packed: Buffer }>('select packed from archives where org = $1 order by unit, start', [org]);
    const lines = rows.flatMap(({ packed }) => gunzipSync(packed).toString('utf8').trim().split('\n'));
    const texts = lines.flatMap((line) => (JSON.parse(line) as { text?: string }).text ?? []);
    expect(texts).toEqual(all.flatMap(({ entries }) => entries.map((entry) => (entry as Message).text)));
  });

  it('of all projects are searched at once, and none of another organisation', async () => {
    const { postgres, org, project } = await freshProject();
    const other = await createProject(postgres, org, 'api');
    const foreign = await freshProject();
    const keep = (place: { org: number; project: number }, all: readonly EpisodePart[]) =>
      keepAll(
        transactionKeeper((batch, work) => inEpisodeBatch(postgres, place, batch, work), md5),
        batchesOf(all, 8),
      );
    await Promise.all([
      keep({ org, project }, parts('claude-code', 12, 1)),
      keep({ org, project: other }, parts('claude-code', 12, 2)),
      keep(foreign, parts('claude-code', 12, 3)),
    ]);
    const found = await postgres.asOrganisation(org, async (sql) => {
      const { hits } = await rankChunks([{ index: new PostgresRecallIndex(sql, { org }) }], { text: 'login token refresh', limit: 50, now: NOW });
      return hits.map(({ candidate }) => [candidate.row.project, candidate.row.id.split('-')[2]]);
    });
    expect(new Set(found.map(String))).toEqual(new Set(['web,1', 'api,2']));
  });

  it('of many projects give the newest chunks of a term, however few each project has', async () => {
    const { postgres, org, project } = await freshProject();
    // One project with long lists, then many with short ones: the newest blocks hold less than others.
    const sizes = [40, ...Array.from({ length: 24 }, () => 1)];
    for (const [nth, size] of sizes.entries()) {
      const place = { org, project: nth === 0 ? project : await createProject(postgres, org, `p${nth}`) };
      const keeper = transactionKeeper((batch, work) => inEpisodeBatch(postgres, place, batch, work), md5);
      await keepAll(keeper, batchesOf(parts('claude-code', size, nth + 20), 50));
    }
    await postgres.asOrganisation(org, async (sql) => {
      const index = new PostgresRecallIndex(sql, { org });
      const [whole, none] = await index.postings(['token', 'nowhere'], 1_000_000);
      const all = Array.from(whole?.ids ?? []);
      expect([all.length, none]).toEqual([whole?.count, { ids: [], count: 0 }]);
      expect(all).toEqual(all.toSorted((a, b) => a - b));
      for (const most of [1, 10, 50, 100, all.length - 1]) {
        const [cut] = await index.postings(['token'], most);
        const ids = Array.from(cut?.ids ?? []);
        expect([ids.length, cut?.count, ids.at(-1)]).toEqual([most, all.length, all.at(-1)]);
        expect(all).toEqual(expect.arrayContaining(ids));
      }
    });
  });
});
