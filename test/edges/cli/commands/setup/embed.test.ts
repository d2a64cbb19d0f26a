import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loopback, type Loopback } from '../../../../adapters/model/loopback.ts';
import { PROTOCOLS, embeddedTexts } from '../../../../adapters/model/meaning.ts';
import { scratch } from '../../../../scratch.ts';
import { type Answer, runProgramBeside, setByHand } from '../../program.ts';

interface Desk {
  readonly home: string;
  run(...argv: readonly string[]): Promise<Answer>;
  json(...argv: readonly string[]): Promise<Record<string, unknown>>;
}

/** The server runs in this process, so the program may not block it. */
function context(): Desk {
  const folder = scratch();
  const [home, project] = [path.join(folder, 'home'), path.join(folder, 'garage')];
  fs.mkdirSync(project);
  const run = (...argv: readonly string[]): Promise<Answer> => runProgramBeside([...argv, '--home', home], { cwd: project });
  return { home, run, json: async (...argv) => JSON.parse((await run(...argv, '--json')).out) as Record<string, unknown> };
}

async function furnished(): Promise<Desk> {
  const one = context();
  expect((await one.run('save', 'decision', 'Every automobile gets winter tyres in October', '--title', 'Winter tyres')).code).toBe(0);
  expect((await one.run('save', 'decision', 'Each invoice is sent twice', '--title', 'Sent twice')).code).toBe(0);
  const chat = path.join(path.dirname(one.home), 'chat.jsonl');
  const lines = ['The storm took the roof off', 'We ate soup all week'].map((text, nth) =>
    JSON.stringify({ project: 'garage', session_id: 's1', message_id: `m${nth}`, role: 'user', timestamp: `2026-01-0${nth + 1}T10:00:00Z`, text }),
  );
  fs.writeFileSync(chat, `${lines.join('\n')}\n`);
  expect((await one.run('import', chat, '--format', 'chat')).code).toBe(0);
  return one;
}

async function setUp({ home }: Desk, provider: string, { url }: Pick<Loopback, 'url'>, model = 'one'): Promise<void> {
  setByHand(home, { 'embed.provider': provider, 'embed.endpoint': url, 'embed.model': model });
}

describe.each(Object.entries(PROTOCOLS))('embedding over %s', (provider, says) => {
  it('is counted by status and doctor, goes on where it stopped, and starts anew for another model', async () => {
    const server = await loopback(({ body }) => says(body['input'] as string[]));
    const one = await furnished();
    await setUp(one, provider, server);
    expect(await one.json('status')).toMatchObject({ embedded: { model: `${provider}:one`, embedded: 0, complete: false } });
    expect((await one.run('doctor')).out).toContain('are not embedded');
    expect(await one.json('embed')).toMatchObject({ ok: true, model: `${provider}:one`, projects: [{ project: 'garage', embedded: 4, complete: true }] });
    expect(embeddedTexts(server).some((text) => text.includes('winter tyres in October'))).toBe(true);
    expect(await one.json('status')).toMatchObject({ embedded: { embedded: 4, texts: 4, complete: true } });
    expect((await one.run('doctor')).out).not.toContain('are not embedded');
    await one.run('save', 'preference', 'Bills are paid on Fridays');
    expect((await one.run('doctor')).out).toContain('1 of 5 texts are not embedded');
    expect(await one.json('embed')).toMatchObject({ projects: [{ embedded: 1, seen: 5 }] });
    await setUp(one, provider, server, 'two');
    expect(await one.json('status')).toMatchObject({ embedded: { model: `${provider}:two`, embedded: 0, texts: 5, complete: false } });
    expect(await one.json('embed')).toMatchObject({ model: `${provider}:two`, projects: [{ embedded: 5, complete: true }] });
  });
});

const titles = (answer: Record<string, unknown>): string[] =>
  (answer['hits'] as { title: string; snippet: string }[]).map(({ title, snippet }) => `${title}: ${snippet}`);

describe.each(Object.entries(PROTOCOLS))('search with an embedder over %s', (provider, says) => {
  it('finds by meaning what shares no word with the question, and only with it', async () => {
    const server = await loopback(({ body }) => says(body['input'] as string[]));
    const one = await furnished();
    expect(titles(await one.json('search', 'which vehicle'))).toEqual([]);
    expect(titles(await one.json('search', 'rain damage'))).toEqual([]);
    expect(server.seen).toEqual([]);
    await setUp(one, provider, server);
    expect(titles(await one.json('search', 'which vehicle'))).toEqual([]);
    await one.json('embed');
    const asked = server.seen.length;
    expect(titles(await one.json('search', 'which vehicle'))[0]).toContain('winter tyres');
    expect(titles(await one.json('search', 'rain damage', '--kind', 'message'))[0]).toContain('The storm took the roof off');
    expect(titles(await one.json('search', 'which bill', '--project', 'all'))[0]).toContain('Each invoice is sent twice');
    expect(server.seen.length - asked).toBe(3);
    const [best] = (await one.json('search', 'which vehicle', '--explain'))['hits'] as { score: number; explain: { signal: string; points: number }[] }[];
    expect(best?.explain.map(({ signal }) => signal)).toContain('meaning');
    expect(best?.explain.reduce((sum, { points }) => sum + points, 0)).toBeCloseTo(best?.score ?? 0, 3);
  });

  it('goes on by words while another model is at work, and when the embedder is gone', async () => {
    const server = await loopback(({ body }) => (body['model'] === 'three' ? { status: 400, json: { error: 'gone' } } : says(body['input'] as string[])));
    const one = await furnished();
    await setUp(one, provider, server);
    await one.json('embed');
    await setUp(one, provider, server, 'two');
    expect(titles(await one.json('search', 'which vehicle'))).toEqual([]);
    expect(titles(await one.json('search', 'invoice'))[0]).toContain('Sent twice');
    await one.json('embed');
    expect(titles(await one.json('search', 'which vehicle'))[0]).toContain('winter tyres');
    await setUp(one, provider, { url: 'http://127.0.0.1:9' }, 'two');
    const answer = await one.run('search', 'invoice');
    expect([answer.code, answer.out, answer.err]).toEqual([0, expect.stringContaining('Sent twice'), expect.stringContaining('search works by words only')]);
  });
});

describe('without an embedder', () => {
  it('says how to choose one, and asks nobody', async () => {
    const one = await furnished();
    const answer = await one.run('embed');
    expect([answer.code, answer.err]).toEqual([1, expect.stringContaining('holdfast embed setup')]);
    expect(await one.json('status')).not.toHaveProperty('embedded');
  });

  it('says how to install the sentence model', async () => {
    const one = await furnished();
    setByHand(one.home, { 'embed.provider': 'minilm' });
    const answer = await one.run('embed');
    expect([answer.code, answer.err]).toEqual([1, expect.stringMatching(/not installed[^]*holdfast embed setup/)]);
  });
});

describe('an embedder that fails', () => {
  it('keeps what was embedded and says why it stopped', async () => {
    const server = await loopback(() => ({ status: 400, json: { error: 'no such model' } }));
    const one = await furnished();
    await setUp(one, 'ollama', server);
    const answer = await one.run('embed');
    expect([answer.code, answer.err]).toEqual([5, expect.stringContaining('400')]);
    expect((await one.json('search', 'invoice'))['hits']).toMatchObject([{ title: 'Sent twice' }]);
  });
});
