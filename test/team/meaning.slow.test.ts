import { expect, test, vi } from 'vitest';
import { OllamaEmbedder } from '../../src/adapters/model/embed/open.ts';
import { chunkVectorsIn } from '../../src/adapters/postgres/team/chunk-vectors.ts';
import { sha256 } from '../../src/adapters/process/environment.ts';
import { plainCodec } from '../../src/app/sync/plain-codec.ts';
import { loopback, retryPolicy } from '../adapters/model/loopback.ts';
import { PATIENCE } from '../patience.ts';
import { hasPostgres } from '../postgres/cluster.ts';
import { databaseWithVectors } from '../postgres/with-vectors.ts';
import { offeredRecord } from './records.ts';
import { serveForTest } from './served.ts';

/** Meaning, for the test's purposes: each row is one thing in several words. */
const TOPICS = [
  ['login', 'password', 'credentials'],
  ['disk', 'storage', 'drive'],
  ['rain', 'weather', 'drizzle'],
];
const meaningOf = (text: string): number[] => [...TOPICS.map((words) => (words.some((word) => text.toLowerCase().includes(word)) ? 1 : 0)), 0.1];

test.skipIf(!hasPostgres)('texts of a team are found by what they mean, by nobody else, and no longer when they are changed or forgotten', async () => {
  const { postgres, rows } = await databaseWithVectors();
  let isDown = false;
  const api = await loopback(({ body }) =>
    isDown ? { status: 400, json: { error: 'no' } } : { json: { embeddings: (body['input'] as string[]).map(meaningOf) } },
  );
  const embedder = new OllamaEmbedder({ endpoint: api.url, model: 'one', retryPolicy });
  const team = await serveForTest({ database: { connections: 1, around: () => postgres, embedder } });
  const [acme, other] = [await team.organisation('acme'), await team.organisation('other')];
  await team.store.inOrganisation(acme, (transaction) => transaction.addProject('shop'));
  const [ada, eve] = [await team.member(acme, 'ada', 'writer'), await team.member(other, 'eve', 'admin')];
  const offer = (token: string, title: string, project = 'web', base: string | null = null, path = 'decisions/one.md') => {
    const version = offeredRecord(title, path, base);
    return team.ask(token, 'POST', `v1/projects/${project}/shared/versions`, { versions: [version] }).then(() => version);
  };
  const found = async (token: string, query: Record<string, string>): Promise<readonly string[]> => {
    const { status, json } = await team.ask(token, 'GET', `v1/search?${new URLSearchParams(query).toString()}`);
    expect([status, json['message']]).toEqual([200, undefined]);
    return (json['hits'] as { title: string; kind: string }[]).map(({ title, kind }) => (kind === 'message' ? kind : title)).toSorted();
  };
  /** No text waits any more: as many vectors as chunks, all by this model. */
  const embedded = (model = 'ollama:one') =>
    vi.waitUntil(async () => {
      const [count] = await rows(
        `select (select count(*) from holdfast.chunks)::int - (select count(*) from holdfast.vectors where model = '${model}')::int as waiting`,
      );
      return count?.['waiting'] === 0;
    }, PATIENCE);
  const first = await offer(ada, 'Rotate each password in March');
  await offer(ada, 'Never fill the storage', 'shop');
  await offer(eve, 'Our credentials lie in the safe');
  const said = [
    { session: { sessionId: 's1', client: 'codex' } },
    { id: 'm1', sessionId: 's1', role: 'user', text: 'The credentials for staging do not work' },
  ];
  await team.ask(ada, 'POST', 'v1/projects/web/conversations', { conversations: [{ text: said.map((line) => JSON.stringify(line)).join('\n') }] });
  await embedded();
  // No word of the question stands in what it finds.
  expect(await found(ada, { query: 'login' })).toEqual(['Rotate each password in March', 'message']);
  expect(await found(ada, { query: 'login', kind: 'record' })).toEqual(['Rotate each password in March']);
  expect(await found(ada, { query: 'login', kind: 'message', project: 'web' })).toEqual(['message']);
  expect(await found(ada, { query: 'drive', project: 'shop' })).toEqual(['Never fill the storage']);
  expect(await found(ada, { query: 'login', project: 'shop' }), 'nothing of another project').toEqual(['Never fill the storage']);
  expect(await found(ada, { query: 'login', category: 'runbook' })).toEqual([]);
  expect(await found(eve, { query: 'login' })).toEqual(['Our credentials lie in the safe']);
  // Row-level security, for a statement that forgot its filter.
  expect(await postgres.asOrganisation(other, async (sql) => (await sql`select distinct org from vectors`).map((row) => row['org']))).toEqual([other]);
  // A text that changed meanwhile does not get its old vector back.
  await postgres.asOrganisation(acme, async (sql) => {
    const vectors = chunkVectorsIn(sql, acme);
    const [waiting] = await vectors.waiting('ollama:two', { most: 1 });
    await vectors.put('ollama:two', [{ chunk: waiting?.chunk ?? 0, text: 'what it said before', vector: Float32Array.of(1, 0) }]);
  });
  expect(await rows("select from holdfast.vectors where model = 'ollama:two'")).toEqual([]);
  // The same record about something else, then forgotten.
  const second = await offer(ada, 'Expect drizzle in March', 'web', first.hash);
  await embedded();
  expect(await found(ada, { query: 'login' })).toEqual(['message']);
  expect(await found(ada, { query: 'rain', kind: 'record', project: 'web' })).toEqual(['Expect drizzle in March']);
  const removal = { id: second.id, kind: 'forgotten', base: second.hash, ancestors: [second.hash] };
  const gone = { ...removal, hash: plainCodec(sha256).removalOf(second.id, 'forgotten', second.hash) };
  expect((await team.ask(ada, 'POST', 'v1/projects/web/shared/versions', { versions: [gone] })).status).toBe(200);
  expect(await found(ada, { query: 'rain' })).not.toContain('Expect drizzle in March');
  expect(await rows('select chunk from holdfast.vectors except select chunk from holdfast.chunks')).toEqual([]);
  // Words alone decide where the model does not answer, and what waits is embedded when it does again.
  isDown = true;
  await offer(ada, 'Buy a drive for backups', 'web', null, 'decisions/two.md');
  await vi.waitUntil(() => team.problems.length > 0, PATIENCE);
  expect(await found(ada, { query: 'backups' })).toEqual(['Buy a drive for backups']);
  isDown = false;
  expect(await found(ada, { query: 'backups' })).toContain('Buy a drive for backups');
  await embedded();
});
