import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { runProgram } from '../cli/program.ts';
import { environment, place, type Place, talkTo } from './talk.ts';

const SESSION = '76731dd6-1111-4222-8333-444455556666';
const LONG = `The Fuchsia printer jams because its labels are thicker than card. ${'Every tray was measured. '.repeat(40)}Feed labels from the rear tray.`;
const TALK: readonly (readonly [id: string, role: string, text: string])[] = [
  ['852d20cc-0000-4000-8000-000000000001', 'user', 'Why does the Fuchsia printer in the basement jam?'],
  ['963e31dd-0000-4000-8000-000000000002', 'assistant', LONG],
  ['a74f42ee-0000-4000-8000-000000000003', 'user', 'Good, and stop there.'],
  ['b85053ff-0000-4000-8000-000000000004', 'assistant', 'The rear tray is noted in the manual.'],
];

/** A project with one conversation about a printer, and one about something else. */
function withTalk(): Place {
  const there = place();
  const rows = TALK.map(([message_id, role, text], at) => ({
    project: there.project,
    session_id: SESSION,
    message_id,
    role,
    timestamp: `2026-02-01T10:0${at}:00Z`,
    text,
  }));
  const other = {
    project: there.project,
    session_id: 'kettle',
    message_id: 'k1',
    role: 'user',
    timestamp: '2026-02-02T10:00:00Z',
    text: 'The kettle is broken.',
  };
  const file = path.join(path.dirname(there.project), 'chat.jsonl');
  fs.writeFileSync(file, [...rows, other].map((row) => JSON.stringify(row)).join('\n'));
  expect(runProgram(['import', file, '--format', 'chat', '--project', '.'], { cwd: there.project, env: environment(there) })).toMatchObject({ code: 0 });
  return there;
}

test('a message that a search found is opened in full by its id or the beginning of it, with what was said around it', async () => {
  const there = withTalk();
  const server = talkTo(there);
  const found = await server.call('memory_search', { query: 'Fuchsia printer labels' });
  const [name = '', id = ''] = /message (\S+) of session \S+?(?=:)/.exec(found.text) ?? [];
  expect(TALK.map(([messageId]) => messageId)).toContain(id);
  for (const ids of [[id], [id.slice(0, 8)], [name]]) {
    const { text, isError } = await server.call('memory_get', { ids });
    expect({ ids, isError }).toEqual({ ids, isError: false });
    for (const part of [LONG, 'Why does the Fuchsia printer', 'The rear tray is noted in the manual.', SESSION]) expect(text).toContain(part);
    expect(text.match(/<\/holdfast-memory>/g)).toHaveLength(1);
  }
});

test('a session is opened by its id or the beginning of it, also beside other ids', async () => {
  const there = withTalk();
  const server = talkTo(there);
  for (const id of [SESSION, '76731d', `session ${SESSION.slice(0, 6)}`]) {
    const { text, isError } = await server.call('memory_get', { ids: [id, 'k1'] });
    expect({ id, isError }).toEqual({ id, isError: false });
    for (const part of [`# session ${SESSION}`, 'prompt (852d20cc', 'The rear tray is noted in the manual.', 'The kettle is broken.'])
      expect(text).toContain(part);
  }
  expect(await server.call('memory_get', { ids: ['76731d', 'nothing-like-it'] })).toMatchObject({
    isError: true,
    text: expect.stringContaining('NOT_FOUND') as string,
  });
});

test('the timeline goes around a message', async () => {
  const server = talkTo(withTalk());
  const { text, isError } = await server.call('memory_timeline', { around: TALK[2]?.[0], limit: 2 });
  expect(isError).toBe(false);
  expect(text).toContain('Good, and stop');
  expect(text).toContain('The rear tray is noted');
  expect(text).not.toContain('Why does the Fuchsia');
});

test('the call that a quotation ends with opens it', async () => {
  const server = talkTo(withTalk());
  const block = await server.says('the Fuchsia printer jams on thick labels again', { session_id: 'now' });
  const call = /`memory_get (\{.*?\})` shows more\.\\n<\/holdfast-memory>/.exec(block)?.[1]?.replaceAll('\\"', '"') ?? '';
  const { text, isError } = await server.call('memory_get', JSON.parse(call) as object);
  expect(isError).toBe(false);
  expect(text).toContain('Feed labels from the rear tray.');
});

test('the command line opens the same', () => {
  const there = withTalk();
  const run = (...words: readonly string[]) => runProgram(words, { cwd: there.project, env: environment(there) });
  const message = run('get', '963e31dd', '--json');
  expect(JSON.parse(message.out)).toMatchObject({
    records: [{ kind: 'message', id: TALK[1]?.[0], session_id: SESSION, text: expect.stringContaining(LONG) as string }],
  });
  expect(run('get', '76731d', 'k1').out).toMatch(/# session 76731dd6[^]*The kettle is broken/);
  expect(JSON.parse(run('messages', '--around', '963e31dd', '--before', '0', '--after', '0', '--json').out)).toMatchObject({
    session_id: SESSION,
    messages: [{ message_id: TALK[1]?.[0], text: LONG }],
  });
  expect(run('messages').code).toBe(2);
  expect(run('get', 'nothing-like-it')).toMatchObject({ code: 4 });
});
