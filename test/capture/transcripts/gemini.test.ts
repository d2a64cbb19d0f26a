import { describe, expect, it } from 'vitest';
import { readerFor } from '../../../src/capture/transcripts/detect.ts';
import { fixture, read } from './reading.ts';

const LINES = 'session-2025-07-01T10-00-7d0c1f00.jsonl';
const DOCUMENT = 'session-2025-07-01T10-00-7d0c1f00.json';

describe.each([LINES, DOCUMENT])('%s', (name) => {
  const reading = read('gemini', fixture(name), { path: `/home/dev/.gemini/tmp/kiosk/chats/${name}` });

  it('gives each message once, in its last form', () => {
    expect(reading.messages).toMatchObject([
      { id: 'g1', role: 'user', text: 'Why is the scale slow?', sessionId: '7d0c1f00-0000-4000-8000-000000000005' },
      { id: 'g2', role: 'assistant', thinking: 'Reading: I need the driver.', toolCalls: [{ id: 'read_file-1', name: 'read_file', files: ['src/scale.py'] }] },
      { id: 'g2/read_file-1', role: 'tool', text: 'def weigh(): ...', answers: 'read_file-1' },
      { id: 'g4', role: 'assistant', text: 'It opens the port on every call.' },
    ]);
    expect(reading.skipped).toEqual([]);
  });

  it('gives the session', () => {
    const title = name === LINES ? { title: 'A slow scale' } : {};
    expect(Object.values(reading.facts)).toMatchObject([
      { client: 'gemini', project: '9f2c', startedAt: '2025-07-01T10:00:00.000Z', endedAt: '2025-07-01T10:05:00.000Z', ...title },
    ]);
  });
});

const header = JSON.stringify({ sessionId: 'g', projectHash: 'h', startTime: '2026-01-02T03:04:05Z' });
const message = (fields: Record<string, unknown>): string => JSON.stringify({ timestamp: '2026-01-02T03:04:05Z', ...fields });

describe('what is no prompt', () => {
  it.each([
    '/help',
    '?',
    '<session_context>today is Monday</session_context>',
    '<hook_context>x</hook_context>',
    '<state_snapshot>x',
    '<holdfast-memory>x</holdfast-memory>',
  ])('%s', (content) => expect(read('gemini', `${header}\n${message({ id: 'a', type: 'user', content })}`).prompts).toEqual([]));

  it('is what a file reference brought along', () => {
    const content = 'explain @a.py\n--- Content from referenced files ---\nContent from @a.py:\nx = 1\n--- End of content ---';
    expect(read('gemini', `${header}\n${message({ id: 'a', type: 'user', content })}`).prompts).toEqual(['explain @a.py']);
  });

  it('is the task of a subagent', () => {
    const sub = JSON.stringify({ sessionId: 'sub', projectHash: 'h', kind: 'subagent', directories: ['/home/dev/kiosk'] });
    const { messages, facts } = read('gemini', `${sub}\n${message({ id: 'a', type: 'user', content: 'count' })}`);
    expect(messages).toMatchObject([{ role: 'assistant', agentId: 'sub', text: 'count' }]);
    expect(facts['sub']?.project).toBe('/home/dev/kiosk');
  });
});

describe('growing messages', () => {
  const call = { id: 'c', name: 'run_shell_command', args: { command: 'make' } };
  const first = message({ id: 'b', type: 'gemini', content: 'I run it.', toolCalls: [call] });
  const last = message({ id: 'b', type: 'gemini', content: 'I run it.', toolCalls: [{ ...call, status: 'error', result: 'no rule' }] });

  it('are held back until another one comes', () => {
    const reader = readerFor('gemini');
    for (const line of [header, first]) reader.push(line);
    expect(reader.backlog).toBe(1);
    reader.push(last);
    expect(reader.backlog).toBe(2);
    const events = reader.push(message({ id: 'z', type: 'user', content: 'why?' }));
    expect(events.flatMap((event) => (event.kind === 'message' ? [event.message.role] : []))).toEqual(['assistant', 'tool']);
  });

  it('add an answer that comes late, and nothing twice', () => {
    const other = message({ id: 'z', type: 'user', content: 'why?' });
    const { messages } = read('gemini', [header, first, other, last, other].join('\n'));
    expect(messages.map(({ id, failed }) => [id, failed])).toEqual([
      ['b', undefined],
      ['z', undefined],
      ['b/c', true],
    ]);
  });

  it('of a history written anew are not counted again', () => {
    const rewritten = JSON.stringify({
      $set: { messages: [JSON.parse(last) as unknown, { id: 'q', type: 'user', content: '<state_snapshot>all</state_snapshot>' }] },
    });
    expect(read('gemini', [header, last, rewritten].join('\n')).messages.map(({ id }) => id)).toEqual(['b', 'b/c']);
  });
});
