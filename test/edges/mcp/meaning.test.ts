import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openMemory } from '../../../src/bin/library.ts';
import { loopback, type Loopback } from '../../adapters/model/loopback.ts';
import { ollama, embeddedTexts } from '../../adapters/model/meaning.ts';
import { must } from '../../app/memory.ts';
import { PROGRAM, runProgramBeside } from '../cli/program.ts';
import { environment, place, type Place, type Talk, talkTo } from './talk.ts';

const TYRES = 'Every automobile gets winter tyres in October';
const QUESTION = 'which vehicle';

/** Runs a command without blocking the server in this process. */
async function cli({ home, project }: Place, ...argv: readonly string[]): Promise<string> {
  const { code, out, err } = await runProgramBeside(argv, { cwd: project, env: environment({ home }) });
  expect(code, err).toBe(0);
  return out;
}

/** A project with one decision, and an embedder that it is told of. */
async function garage(server: Pick<Loopback, 'url'>): Promise<Place> {
  const there = place({ on: true, embed: { provider: 'ollama', endpoint: server.url, model: 'one' } });
  await cli(there, 'save', 'decision', TYRES, '--title', 'Winter tyres');
  return there;
}

function pointTo({ privateRoot }: Place, { url }: Pick<Loopback, 'url'>): void {
  fs.writeFileSync(path.join(privateRoot, 'memory-config.json'), JSON.stringify({ on: true, embed: { provider: 'ollama', endpoint: url, model: 'one' } }));
}

/** The note where the embedder did not answer in the time that a search gives it. */
const LATE = 'the embedder has not answered within 2 s';

/** What a search finds; asked again where a busy machine let the embedder's time run out. */
async function searchInTime(server: Talk, query: string): Promise<string> {
  const { text } = await server.call('memory_search', { query });
  return text.includes(LATE) ? searchInTime(server, query) : text;
}

describe('memory_search with an embedder', () => {
  it('finds by meaning once the texts have vectors, in a server that was there before; a prompt asks no embedder', async () => {
    const embedder = await ollama();
    const there = await garage(embedder);
    const server = talkTo(there);
    const search = (query: string) => searchInTime(server, query);
    expect(await search(QUESTION)).toBe('Nothing is remembered about this.');
    await cli(there, 'embed');
    expect(await search(QUESTION)).toContain('decision/winter-tyres');
    const asked = embedder.seen.length;
    expect(await server.hook('UserPromptSubmit', { prompt: 'which vehicle needs what, and why did we decide so?' })).toBe('');
    expect(embedder.seen).toHaveLength(asked);
  });

  it('answers by words with a note when the embedder fails or is slow, and by meaning when it is back', async () => {
    let delayMs = 0;
    const embedder = await loopback(({ body }) => ({ json: { embeddings: (body['input'] as string[]).map(() => [1, 0]) }, delayMs }));
    const there = await garage(embedder);
    await cli(there, 'embed');
    const server = talkTo(there);
    const search = (query: string) => searchInTime(server, query);
    expect(await search('october')).not.toContain('words only');
    delayMs = 5_000;
    const { text: slow } = await server.call('memory_search', { query: 'automobile tyres' });
    expect(slow).toContain('decision/winter-tyres');
    expect(slow).toContain(`search works by words only: ${LATE}`);
    delayMs = 0;
    expect(await search(QUESTION)).toContain('decision/winter-tyres');
    pointTo(there, { url: 'http://127.0.0.1:9' });
    const failed = await search('automobile');
    expect(failed).toContain('decision/winter-tyres');
    expect(failed).toContain('search works by words only');
    expect(await search(QUESTION)).toMatch(/^Nothing is remembered about this\.\n\(search works by words only: /);
    pointTo(there, embedder);
    expect(await search(QUESTION)).toContain('decision/winter-tyres');
  });

  it('holds up no event while the embedder is slow, and keeps events in their order', async () => {
    let released = Promise.resolve();
    const embedder = await loopback(async ({ body }) => {
      await released;
      return { json: { embeddings: (body['input'] as string[]).map(() => [1, 0]) } };
    });
    const there = await garage(embedder);
    await cli(there, 'embed');
    const server = talkTo(there);
    expect((await server.call('memory_search', { query: 'october' })).text).toContain('decision/winter-tyres');
    await server.ask('initialize', { clientInfo: { name: 'claude-code' } });
    const send = (id: string, name: string, args: object): void =>
      server.send(JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } }));
    const event = (id: string, name: string, more: object): void => send(id, 'client_event', { event: name, session_id: 's-1', cwd: there.project, ...more });
    /** The answers to a search and two events in their order; the embedder answers when both events have their answers. */
    const answersTo = async (query: string): Promise<readonly Record<string, unknown>[]> => {
      let release = (): void => undefined;
      released = new Promise((resolve) => (release = resolve));
      send('search', 'memory_search', { query });
      event('first', 'UserPromptSubmit', { prompt: 'what about the winter tyres?' });
      // The embedder that the running search uses stays open, though the settings are read again.
      pointTo(there, { url: `${embedder.url}${'/'.repeat(query.length % 2)}` });
      event('second', 'SubagentStart', { agent_id: 'a-1', agent_type: 'Explore' });
      const events = [await server.next(), await server.next()];
      release();
      return [...events, await server.next()];
    };
    let query = QUESTION;
    let answers = await answersTo(query);
    // A busy machine may take longer for the events than a search waits. Another question, because the embedder is not asked the same one again.
    while (JSON.stringify(answers).includes(LATE)) answers = await answersTo((query += '?'));
    expect(answers.map(({ id }) => id)).toEqual(['first', 'second', 'search']);
    expect(answers.at(-1)).toMatchObject({ result: { content: [{ text: expect.stringContaining('decision/winter-tyres') as string }] } });
    expect(JSON.stringify(answers)).not.toContain('words only');
  });

  it('answers what it was asked before its client left', async () => {
    let delayMs = 0;
    const embedder = await loopback(({ body }) => ({ json: { embeddings: (body['input'] as string[]).map(() => [1, 0]) }, delayMs }));
    const there = await garage(embedder);
    await cli(there, 'embed');
    const askAndLeave = async (): Promise<Record<string, unknown>> => {
      const server = talkTo(there);
      delayMs = 0;
      await server.call('memory_search', { query: 'october' });
      delayMs = 500;
      server.send(JSON.stringify({ jsonrpc: '2.0', id: 'last', method: 'tools/call', params: { name: 'memory_search', arguments: { query: QUESTION } } }));
      server.child.stdin?.end();
      const answer = await server.next();
      expect(await server.ended).toBe(0);
      return answer;
    };
    let answer = await askAndLeave();
    while (JSON.stringify(answer).includes(LATE)) answer = await askAndLeave();
    expect(answer).toMatchObject({ id: 'last', result: { content: [{ text: expect.stringContaining('decision/winter-tyres') as string }] } });
  });
});

describe('the library with an embedder', () => {
  it('finds by meaning, and tells of an embedder that is gone', async () => {
    const embedder = await ollama();
    const there = await garage(embedder);
    await cli(there, 'embed');
    const ask = async () => {
      const memory = must(await openMemory({ home: there.home, project: there.project }));
      const told: string[] = [];
      const ids = async (query: string) => (await memory.search(query, { warn: (what) => told.push(what) })).map(({ id }) => id);
      const found = [await ids(QUESTION), await ids('winter')];
      await memory.close();
      return { found, told };
    };
    expect(await ask()).toEqual({ found: [['decision/winter-tyres'], ['decision/winter-tyres']], told: [] });
    pointTo(there, { url: 'http://127.0.0.1:9' });
    const { found, told } = await ask();
    expect(found).toEqual([[], ['decision/winter-tyres']]);
    expect(told).toEqual([expect.stringContaining('search works by words only'), expect.stringContaining('search works by words only')]);
  });
});

describe('what sessions leave behind', () => {
  const chatOf = ({ home, project }: Place, text: string): void => {
    const file = path.join(home, 'projects', project.replace(/[^A-Za-z0-9]/g, '-'), '3f2a1d2e-1111-4222-8333-444455556666.jsonl');
    fs.mkdirSync(path.dirname(file), { recursive: true });
    const facts = {
      parentUuid: null,
      isSidechain: false,
      userType: 'external',
      cwd: project,
      sessionId: '3f2a1d2e-1111-4222-8333-444455556666',
      version: '2.1.197',
    };
    const line = { ...facts, type: 'user', uuid: `u-${text.length}`, timestamp: '2026-03-01T10:00:00Z', message: { role: 'user', content: text } };
    fs.appendFileSync(file, `${JSON.stringify(line)}\n`);
  };
  const finish = async ({ home, project }: Place): Promise<void> => {
    const child = spawn(process.execPath, [path.join(path.dirname(PROGRAM), 'finish.js'), home, project, '', ''], { cwd: project, env: environment({ home }) });
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0);
  };

  it('gets its vectors when it is taken in, where embed was run before, and only then', async () => {
    const embedder = await ollama();
    const there = await garage(embedder);
    chatOf(there, 'The storm took the roof off the hall');
    await finish(there);
    expect(embedder.seen).toEqual([]);
    await cli(there, 'embed');
    const before = embeddedTexts(embedder).length;
    chatOf(there, 'And the gale blew the old fence into the river');
    await finish(there);
    expect(embeddedTexts(embedder).slice(before).join('\n')).toContain('the old fence');
    expect(await cli(there, 'doctor')).not.toContain('are not embedded');
    const asked = embedder.seen.length;
    await finish(there);
    expect(embedder.seen).toHaveLength(asked);
  });

  it('is taken in all the same when the embedder is gone', async () => {
    const there = await garage(await ollama());
    await cli(there, 'embed');
    pointTo(there, { url: 'http://127.0.0.1:9' });
    chatOf(there, 'The storm took the roof off the hall');
    await finish(there);
    expect(await cli(there, 'search', 'storm roof')).toContain('took the roof off');
    expect(await cli(there, 'doctor')).toContain('are not embedded');
    expect(fs.existsSync(path.join(there.home, 'holdfast', 'projects', 'shop', 'embedding'))).toBe(false);
  });
});
