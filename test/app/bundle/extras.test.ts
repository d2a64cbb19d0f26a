import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConversation } from '../../../src/app/bundle/conversation.ts';
import { messagesIn } from '../../../src/app/episodes/read.ts';
import { answered, called, replied, said, text } from '../../capture/transcripts/reading.ts';
import { must, save } from '../memory.ts';
import { entriesOf, type Machine, machine, rewrite, timeless } from './machine.ts';

const SESSION = 'aaaaaaaa-0000-4000-8000-00000000000a';
const CONVERSATION = `projects/webshop/conversations/${SESSION}.jsonl`;

async function talk({ episodes, folder }: Machine, answer = 'File created'): Promise<void> {
  const here = { sessionId: SESSION, cwd: path.join(folder, 'webshop') };
  const lines = [
    said('Where do the orders go?', { uuid: 'u1', timestamp: '2026-01-02T10:00:00.000Z', ...here }),
    replied('m1', [text('Into SQLite.'), called('c1', 'Write', { file_path: 'orders.sql', content: 'create table orders (id);' })], {
      uuid: 'a1',
      timestamp: '2026-01-02T10:01:00.000Z',
      ...here,
    }),
    JSON.stringify({ ...(JSON.parse(answered('c1', answer)) as object), uuid: 't1', timestamp: '2026-01-02T10:02:00.000Z', ...here }),
  ];
  const file = path.join(folder, 'talk.jsonl');
  fs.writeFileSync(file, `${lines.join('\n')}\n`);
  must(await episodes.import({ paths: [file] }));
  fs.rmSync(file);
}

/** A machine with a record, a conversation whose transcript is gone, and settings of the user and of the project. */
async function full(): Promise<{ first: Machine; file: string; second: Machine }> {
  const first = machine();
  must(await save(first.open().memory, 'decision', { title: 'Use SQLite' }));
  await talk(first);
  fs.writeFileSync(path.join(first.home, 'settings.json'), JSON.stringify({ theme: 'dark', memory: { updateThreshold: 7, inject: { startTokens: 900 } } }));
  fs.writeFileSync(path.join(first.home, 'projects', 'webshop', 'memory-config.json'), '{"on": true}');
  return { first, file: path.join(first.folder, 'all.tar.gz'), second: machine(first.folder, path.join(first.folder, 'other-home')) };
}

const settingsOf = ({ home }: Machine): unknown => {
  const file = path.join(home, 'settings.json');
  return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : undefined;
};

describe('a bundle of everything', () => {
  it('brings conversations along, whose transcripts may be gone, and the same bundle comes out again', async () => {
    const { first, file, second } = await full();
    expect(must(await first.export(file))).toMatchObject({ records: 1, conversations: 1, settings: 2 });
    expect(must(await second.import(file, { settings: true })).parts).toMatchObject([{ project: 'webshop', messages: 3 }, {}]);
    const { episode, project } = must(await second.episodes.find(SESSION));
    expect(project).toBe('webshop');
    expect(messagesIn(episode).map((message) => message.text)).toEqual(['Where do the orders go?', 'Into SQLite.', 'File created']);
    expect(messagesIn(episode)[1]?.toolCalls).toMatchObject([{ name: 'Write', files: ['orders.sql'] }]);
    const again = path.join(first.folder, 'again.tar.gz');
    must(await second.export(again));
    expect(timeless(again)).toEqual(timeless(file));
    expect(must(await second.import(file)).parts[0]).toMatchObject({ messages: 0, unchanged: [expect.anything()] });
  });

  it('brings what was cut when it was captured along as it was kept', async () => {
    const first = machine();
    must(await save(first.open().memory, 'decision', { title: 'Use SQLite' }));
    await talk(first, Array.from({ length: 2_000 }, (_, at) => `line ${at} of a long answer`).join(' '));
    const [file, again] = ['all.tar.gz', 'again.tar.gz'].map((name) => path.join(first.folder, name)) as [string, string];
    must(await first.export(file));
    expect(entriesOf(file).some(({ text: packed }) => packed.includes('characters cut'))).toBe(true);
    const second = machine(first.folder, path.join(first.folder, 'other-home'));
    must(await second.import(file));
    must(await second.export(again));
    expect(timeless(again)).toEqual(timeless(file));
  });

  it('leaves conversations and the settings of the project out of a project’s bundle, unless asked', async () => {
    const { first, file } = await full();
    must(await first.export(file, 'project'));
    expect(entriesOf(file).map(({ name }) => name)).toEqual(['manifest.json', expect.stringContaining('use-sqlite.md')]);
    must(await first.bundles.export(file, 'project', { conversations: true }));
    expect(entriesOf(file).map(({ name }) => name)).toContain(CONVERSATION);
    must(await first.bundles.export(file, 'all', { conversations: false }));
    expect(entriesOf(file).map(({ name }) => name)).not.toContain(CONVERSATION);
  });

  it('holds of the user’s settings only Holdfast’s, and brings them in only on request, where nothing is set', async () => {
    const { first, file, second } = await full();
    must(await first.export(file, 'user'));
    const packed = entriesOf(file).find(({ name }) => name === 'user/settings.json')?.text ?? '';
    expect(JSON.parse(packed)).toEqual({ updateThreshold: 7, inject: { startTokens: 900 } });
    expect(must(await second.import(file)).parts).toMatchObject([{ offered: true }]);
    expect(settingsOf(second)).toBeUndefined();
    fs.mkdirSync(second.home, { recursive: true });
    fs.writeFileSync(path.join(second.home, 'settings.json'), '{"model": "x", "memory": {"updateThreshold": 2}}');
    expect(must(await second.import(file, { settings: true })).parts).toMatchObject([
      { settings: { taken: ['inject.startTokens'], kept: ['updateThreshold'] } },
    ]);
    expect(settingsOf(second)).toEqual({ model: 'x', memory: { updateThreshold: 2, inject: { startTokens: 900 } } });
  });

  it('switches nothing on unless settings were asked for', async () => {
    const { first, file, second } = await full();
    must(await first.export(file));
    must(await second.import(file));
    expect(second.open().memory.config.get('on')).toBe(false);
    must(await second.import(file, { settings: true }));
    expect(second.open().memory.config.get('on')).toBe(true);
  });

  it.each<[string, string]>([
    ['a line that is no JSON', 'nonsense'],
    ['an entry before the session', JSON.stringify({ id: 'x', role: 'user', sessionId: SESSION, text: 'x' })],
    ['a session that is no file name', JSON.stringify({ session: { sessionId: '../../etc', client: 'claude-code' } })],
    ['a client that nobody knows', JSON.stringify({ session: { sessionId: SESSION, client: 'other' } })],
    [
      'a message of another session',
      `${JSON.stringify({ session: { sessionId: SESSION, client: 'chat' } })}\n${JSON.stringify({ id: 'x', role: 'user', sessionId: 's', text: 'x' })}`,
    ],
    [
      'a text that is none',
      `${JSON.stringify({ session: { sessionId: SESSION, client: 'chat' } })}\n${JSON.stringify({ id: 'x', role: 'user', sessionId: SESSION, text: {} })}`,
    ],
    [
      'calls that are none',
      `${JSON.stringify({ session: { sessionId: SESSION, client: 'chat' } })}\n${JSON.stringify({ id: 'x', role: 'assistant', sessionId: SESSION, text: '', toolCalls: [{ name: 1 }] })}`,
    ],
  ])('is refused whole when a conversation has %s', async (_what, lines) => {
    const { first, file, second } = await full();
    must(await first.export(file));
    rewrite(file, (entries) => {
      const { createHash } = process.getBuiltinModule('node:crypto');
      const sum = (words: string): string => createHash('sha256').update(words).digest('hex');
      const before = entries.find(({ name }) => name === CONVERSATION)?.text ?? '';
      return entries.map(({ name, text: words }) => ({
        name,
        text: name === CONVERSATION ? lines : name === 'manifest.json' ? words.replace(sum(before), sum(lines)) : words,
      }));
    });
    expect(await second.import(file)).toMatchObject({ ok: false, error: { code: 'INPUT_ERROR', message: expect.stringContaining(CONVERSATION) } });
    expect(fs.existsSync(path.join(second.home, 'projects'))).toBe(false);
  });

  it('has no secret of a conversation, whoever packed it', () => {
    const key = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
    const lines = [{ session: { sessionId: SESSION, client: 'chat' } }, { id: 'x', role: 'user', sessionId: SESSION, text: `token ${key}` }];
    const read = must(readConversation('c', lines.map((line) => JSON.stringify(line)).join('\n')));
    expect(JSON.stringify(read)).not.toContain(key);
  });
});
