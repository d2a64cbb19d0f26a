import { describe, expect, test } from 'vitest';
import { sha256 } from '../../src/adapters/process/environment.ts';
import { teamApi } from '../../src/adapters/team/remote.ts';
import { planConversations, sendConversations, type ConversationSource } from '../../src/app/sync/conversations.ts';
import type { Episode } from '../../src/app/episodes/read.ts';
import type { Message } from '../../src/core/episode/episode.ts';
import { must } from '../app/memory.ts';
import { connectRaw, hasPostgres } from '../postgres/cluster.ts';
import { offeredRecord } from './records.ts';
import { serveForTest, type ServedTeam } from './served.ts';

function episode(sessionId: string, said: readonly (string | Partial<Message>)[]): Episode {
  const entries = said.map((one, nth): Message => ({
    id: `${sessionId}-${nth}`,
    sessionId,
    role: nth % 2 === 0 ? 'user' : 'assistant',
    at: `2026-05-01T10:0${nth}:00.000Z`,
    text: '',
    ...(typeof one === 'string' ? { text: one } : one),
  }));
  const facts = {
    sessionId,
    client: 'claude-code',
    project: '/home/ada/secret-folder',
    startedAt: '2026-05-01T10:00:00.000Z',
    endedAt: '2026-05-01T10:09:00.000Z',
  } as const;
  return { facts, entries, whole: true };
}

const sourceOf = (team: ServedTeam, token: string, episodes: readonly Episode[]): ConversationSource => ({
  api: must(teamApi({ url: team.url, token })),
  project: 'web',
  episodes: () => episodes,
  sha256,
});

async function send(source: ConversationSource): Promise<readonly number[]> {
  const plan = must(await planConversations(source));
  const sent = must(await sendConversations(source, plan));
  return [plan.conversations, sent.messages, plan.unchanged, plan.others];
}

/** Every row of every table, as text. */
async function everything({ adminUrl }: ServedTeam): Promise<string> {
  const client = await connectRaw(adminUrl);
  try {
    const { rows } = await client.query<{ name: string }>(
      "select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'holdfast' and c.relkind = 'r'",
    );
    const found: string[] = [];
    for (const { name } of rows) found.push(...(await client.query<{ t: string }>(`select t::text as t from holdfast.${name} t`)).rows.map(({ t }) => t));
    return found.join('\n');
  } finally {
    await client.end();
  }
}

const hitsFor = async (team: ServedTeam, token: string, query: string) =>
  (await team.ask(token, 'GET', `v1/search?project=web&kind=message&query=${encodeURIComponent(query)}`)).json['hits'] as { id: string; session_id: string }[];

describe.skipIf(!hasPostgres)('conversations that a member sends', () => {
  test('are found and read by the team, come once however often they are sent, and grow', async () => {
    const team = await serveForTest();
    const org = await team.organisation('acme');
    const [ada, rea] = [await team.member(org, 'ada', 'writer'), await team.member(org, 'rea', 'reader')];
    const first = episode('s1', ['Why does the heron worker stop?', 'Because the queue is full.']);
    expect(await send(sourceOf(team, ada, [first]))).toEqual([1, 2, 0, 0]);
    expect(await send(sourceOf(team, ada, [first]))).toEqual([0, 0, 1, 0]);
    const grown = episode('s1', ['Why does the heron worker stop?', 'Because the queue is full.', 'Then make the queue larger']);
    expect(await send(sourceOf(team, ada, [grown, episode('s2', ['Piano lessons'])]))).toEqual([2, 2, 0, 0]);
    expect((await hitsFor(team, rea, 'heron worker'))[0]).toMatchObject({ session_id: 's1', id: 's1-0' });
    const { json } = await team.ask(rea, 'GET', 'v1/projects/web/conversations/s1?around=s1-2&reach=1');
    expect(json).toMatchObject({
      conversation: { id: 's1', author: 'ada', messages: 3 },
      messages: [{ text: 'Because the queue is full.' }, { text: 'Then make the queue larger' }],
      earlier: 1,
      later: 0,
    });
    const listed = (await team.ask(rea, 'GET', 'v1/projects/web/conversations')).json['conversations'] as { id: string }[];
    expect(listed.map(({ id }) => id)).toEqual(['s1', 's2']);
    expect((await team.ask(rea, 'POST', 'v1/projects/web/conversations', { conversations: [{ text: '' }] })).status).toBe(403);
  });

  test('leave thoughts, what tools answered, folders and secrets behind', async () => {
    const team = await serveForTest();
    const ada = await team.member(await team.organisation('acme'), 'ada', 'writer');
    const said = [
      'The key is ghp_abcdefghijklmnopqrstuvwxyz0123456789',
      { text: 'Looking.', thinking: 'A hidden albatross', toolCalls: [{ id: 't', name: 'Bash', input: 'cat notes', files: [], command: 'cat notes' }] },
      { role: 'tool' as const, text: 'The file says cormorant' },
    ];
    await send(sourceOf(team, ada, [episode('s1', said)]));
    expect(await hitsFor(team, ada, 'cat notes')).not.toEqual([]);
    const { json } = await team.ask(ada, 'GET', 'v1/projects/web/conversations/s1');
    for (const text of [await everything(team), JSON.stringify(json)]) expect(text).not.toMatch(/albatross|cormorant|secret-folder|ghp_abc/);
    // A client that redacts nothing is not trusted to have done so.
    const lines = [
      { session: { sessionId: 's2', client: 'codex' } },
      { id: 'm', sessionId: 's2', role: 'user', text: 'ghp_abcdefghijklmnopqrstuvwxyz0123456789' },
    ];
    await team.ask(ada, 'POST', 'v1/projects/web/conversations', { conversations: [{ text: lines.map((line) => JSON.stringify(line)).join('\n') }] });
    const stored = (await team.ask(ada, 'GET', 'v1/projects/web/conversations/s2')).json['messages'] as { text: string }[];
    expect(stored).toHaveLength(1);
    expect(stored[0]?.text).not.toContain('ghp_abc');
  });

  test('are erased with every word when their author or an admin says so, and when a message of theirs was forgotten', async () => {
    const team = await serveForTest();
    const org = await team.organisation('acme');
    const [ada, bo, admin] = [await team.member(org, 'ada', 'writer'), await team.member(org, 'bo', 'writer'), await team.member(org, 'adm', 'admin')];
    const kept = episode('s0', ['The ferry leaves at noon']);
    await send(sourceOf(team, ada, [kept, episode('s1', ['The kingfisher ferry', 'A pelican answers'])]));
    const forgotten = episode('s1', [{ text: '', forgotten: true }, 'A pelican answers']);
    expect(await send(sourceOf(team, ada, [kept, forgotten]))).toEqual([1, 2, 1, 0]);
    expect(await everything(team)).not.toMatch(/kingfisher/i);
    expect((await hitsFor(team, ada, 'pelican'))[0]).toMatchObject({ session_id: 's1' });
    expect((await team.ask(bo, 'DELETE', 'v1/projects/web/conversations/s1')).status).toBe(403);
    expect((await team.ask(admin, 'DELETE', 'v1/projects/web/conversations/s1')).status).toBe(200);
    expect((await team.ask(admin, 'DELETE', 'v1/projects/web/conversations/s1')).status).toBe(404);
    expect(await everything(team)).not.toMatch(/pelican/i);
    expect((await hitsFor(team, ada, 'ferry')).map((hit) => hit.session_id)).toEqual(['s0']);
    const size = await team.store.inOrganisation(org, async (transaction) =>
      (transaction as never as { recallIndex(p: number): { size(): Promise<unknown> } }).recallIndex(1).size(),
    );
    expect(size).toEqual({ chunks: 1, units: 1, terms: 3 });
  });

  test('belong to whoever sent them first: nobody writes into those of another', async () => {
    const team = await serveForTest();
    const org = await team.organisation('acme');
    const [ada, bo] = [await team.member(org, 'ada', 'writer'), await team.member(org, 'bo', 'writer')];
    const mine = episode('s1', ['The heron is mine']);
    await send(sourceOf(team, ada, [mine]));
    const theirs = episode('s1', ['The heron is mine', 'No, the heron is bo’s']);
    expect(await send(sourceOf(team, bo, [theirs]))).toEqual([0, 0, 0, 1]);
    const whole = [{ session: theirs.facts }, ...theirs.entries].map((line) => JSON.stringify(line)).join('\n');
    expect((await team.ask(bo, 'POST', 'v1/projects/web/conversations', { conversations: [{ text: whole }] })).status).toBe(403);
    expect((await team.ask(ada, 'GET', 'v1/projects/web/conversations/s1')).json).toMatchObject({ messages: [{ text: 'The heron is mine' }] });
    // Both at once, several times: the second is refused.
    for (let round = 0; round < 8; round++) {
      const text = (who: string): string =>
        [{ session: { sessionId: `r${round}`, client: 'codex' } }, { id: who, sessionId: `r${round}`, role: 'user', text: `by ${who}` }]
          .map((line) => JSON.stringify(line))
          .join('\n');
      const both = { ada, bo };
      const asked = Object.entries(both).map(([who, token]) =>
        team.ask(token, 'POST', 'v1/projects/web/conversations', { conversations: [{ text: text(who) }] }),
      );
      expect((await Promise.all(asked)).map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 403]);
    }
  });

  test('that come while records are saved in the same project are all found, and so are the records', async () => {
    const team = await serveForTest();
    const org = await team.organisation('acme');
    const [ada, bo] = [await team.member(org, 'ada', 'writer'), await team.member(org, 'bo', 'writer')];
    const COUNT = 12;
    const first = Array.from({ length: COUNT }, (_, nth) => offeredRecord(`Heron ${nth}`));
    await team.ask(bo, 'POST', 'v1/projects/web/shared/versions', { versions: first });
    const sending = Array.from({ length: COUNT }, (_, nth) => send(sourceOf(team, ada, [episode(`s${nth}`, [`The heron worker number ${nth}`])])));
    // Changes of known records draw no number, so that nothing but the index itself makes them wait.
    const saving = first.map((version, nth) =>
      team.ask(bo, 'POST', 'v1/projects/web/shared/versions', { versions: [offeredRecord(`Changed heron ${nth}`, `decisions/heron-${nth}.md`, version.hash)] }),
    );
    await Promise.all([...sending, ...saving]);
    const inSessions = (await team.ask(bo, 'GET', 'v1/search?query=heron&kind=message&limit=100&project=web')).json['hits'] as unknown[];
    const inRecords = (await team.ask(bo, 'GET', 'v1/search?query=heron&kind=record&limit=100&project=web')).json['hits'] as unknown[];
    expect([inSessions.length, inRecords.length]).toEqual([COUNT, COUNT]);
  });

  test('cannot take the name under which a record is known, nor change what is found of it', async () => {
    const team = await serveForTest();
    const org = await team.organisation('acme');
    const [adm, ada] = [await team.member(org, 'adm', 'admin'), await team.member(org, 'ada', 'writer')];
    const [known, later] = [offeredRecord('The heron cache has a limit'), offeredRecord('The heron cache has none')];
    await team.ask(adm, 'POST', 'v1/projects/web/shared/versions', { versions: [known] });
    await team.ask(adm, 'PATCH', 'v1/projects/web', { review: true });
    for (const { id } of [known, later]) {
      const lines = [{ session: { sessionId: id, client: 'codex', title: 'Flamingo' } }, { id: 'm', sessionId: id, role: 'user', text: 'Flamingo' }];
      const text = lines.map((line) => JSON.stringify(line)).join('\n');
      expect((await team.ask(ada, 'POST', 'v1/projects/web/conversations', { conversations: [{ text }] })).status).toBe(400);
      expect(await send(sourceOf(team, ada, [episode(id, ['Flamingo'])]))).toEqual([0, 0, 1, 0]);
    }
    expect((await team.ask(ada, 'GET', 'v1/search?query=flamingo')).json).toEqual({ hits: [] });
    expect((await team.ask(ada, 'GET', 'v1/projects/web/records')).json['records']).toMatchObject([{ title: 'The heron cache has a limit' }]);
    const offered = await team.ask(adm, 'POST', 'v1/projects/web/shared/versions', { versions: [later] });
    expect(offered.json['outcomes']).toMatchObject([{ state: 'accepted' }]);
  });

  test('that are long come in parts, and an upload that was cut off goes on', async () => {
    const team = await serveForTest();
    const ada = await team.member(await team.organisation('acme'), 'ada', 'writer');
    const long = episode(
      's1',
      Array.from({ length: 9 }, (_, nth) => `Part ${nth} ${`word${nth} `.repeat(40_000)}`),
    );
    const source = sourceOf(team, ada, [long]);
    const plan = must(await planConversations(source));
    let asked = 0;
    const cut = {
      ...source,
      api: {
        host: 'x',
        ask: async (...args: Parameters<typeof source.api.ask>) =>
          asked++ === 0 ? source.api.ask(...args) : { ok: false, error: { code: 'IO_ERROR', message: 'cut' } },
      },
    } as ConversationSource;
    expect((await sendConversations(cut, plan)).ok).toBe(false);
    expect((await team.ask(ada, 'GET', 'v1/projects/web/conversations')).json['conversations']).toMatchObject([{ id: 's1' }]);
    expect((await send(source))[0]).toBe(1);
    expect((await team.ask(ada, 'GET', 'v1/projects/web/conversations')).json['conversations']).toMatchObject([{ id: 's1', messages: 9 }]);
    expect(await send(source)).toEqual([0, 0, 1, 0]);
  });
});
