import { describe, expect, it } from 'vitest';
import { detectFormat } from '../../../src/capture/transcripts/detect.ts';
import { fixture, read } from './reading.ts';

const ASKED = 'Show the opening hours on the start page.';
const CHOSE = 'I put the hours into the footer because every page has one.';

describe.each([
  ['copilot', 'copilot-events.jsonl', '/u/.copilot/session-state/c0ffee00-0000-4000-8000-000000000001/events.jsonl', '1.0.102'],
  ['qwen', 'qwen-chat.jsonl', '/u/.qwen/projects/-home-dev-kiosk/chats/9e3e0000-0000-4000-8000-000000000002.jsonl', '0.24.4'],
  ['droid', 'droid-session.jsonl', '/u/.factory/sessions/-home-dev-kiosk/d401d000-0000-4000-8000-000000000003.jsonl', undefined],
] as const)('a transcript of %s', (client, name, path, clientVersion) => {
  const text = fixture(name);
  const reading = read(client, text, { path });

  it('is known by its first lines', () => expect(detectFormat(text.split('\n'))).toBe(client));

  it('gives what the person typed and nothing that the client or a hook said in their name', () => expect(reading.prompts).toEqual([ASKED]));

  it('gives replies, calls, answers and failures, and no memory', () => {
    expect(reading.messages).toMatchObject([
      { role: 'user', text: ASKED },
      { role: 'assistant', text: CHOSE, thinking: 'The template has a footer.' },
      { role: 'tool', answers: 'call_1', failed: true },
      ...(client === 'qwen' ? [{ role: 'assistant', toolCalls: [{ id: 'call_2' }] }] : []),
      { role: 'tool', answers: 'call_2', text: '' },
      ...(client === 'copilot' ? [{ role: 'assistant', agentId: 'explore-1', text: 'look at the footer' }] : []),
      { role: 'assistant', text: 'One test needs the new text.' },
    ]);
    expect(reading.messages[1]?.toolCalls?.[0]).toMatchObject({ id: 'call_1', command: 'npm test' });
    expect(reading.messages[2]?.text).toContain('1 failing');
    expect(JSON.stringify(reading.messages)).not.toContain('UTC');
    expect(reading.summaries.join()).toContain('Opening hours were added.');
    expect(reading.skipped).toEqual([]);
  });

  it('gives the session', () => {
    expect(Object.values(reading.facts)).toMatchObject([
      { client, project: '/home/dev/kiosk', startedAt: '2026-01-02T03:04:00.000Z', ...(clientVersion !== undefined && { clientVersion }) },
    ]);
  });
});
