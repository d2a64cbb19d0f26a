import { describe, expect, it } from 'vitest';
import { fixture, read } from './reading.ts';

const exported = fixture('opencode-export.json');

describe('an export', () => {
  const reading = read('opencode', exported);

  it('gives messages, calls and answers', () => {
    expect(reading.messages).toMatchObject([
      { id: 'msg_o1', role: 'user', text: 'Show the opening hours on the start page.', at: '2025-07-01T10:00:01.000Z' },
      {
        ...{ id: 'msg_o2', role: 'assistant', text: 'The hours are on the page; one test needs the new text.', thinking: 'The template has a footer.' },
        toolCalls: [
          { id: 'call_o1', name: 'edit', files: ['/home/dev/kiosk/web/start.html'], input: '/home/dev/kiosk/web/start.html\n<p>9 to 5</p></main>' },
          { id: 'call_o2', name: 'bash', command: 'npm test' },
        ],
      },
      { id: 'msg_o2/call_o1', role: 'tool', text: 'ok', answers: 'call_o1' },
      { id: 'msg_o2/call_o2', role: 'tool', text: '1 failing {"brace": [}', answers: 'call_o2', failed: true },
    ]);
    expect(reading.summaries).toEqual(['Opening hours were added.']);
    expect(reading.skipped).toEqual([]);
  });

  it('gives the session', () => {
    expect(reading.facts['ses_5bdea460dffe']).toEqual({
      ...{ sessionId: 'ses_5bdea460dffe', client: 'opencode', project: '/home/dev/kiosk', title: 'Opening hours', clientVersion: '1.18.0' },
      ...{ startedAt: '2025-07-01T10:00:00.000Z', endedAt: '2025-07-01T10:10:00.000Z' },
    });
  });

  it.each<[string, string]>([
    ['on one line', JSON.stringify(JSON.parse(exported))],
    ['behind words of the program', `Exporting session: latest\n[info] ready\n${exported}`],
    ['as a list of messages', JSON.stringify((JSON.parse(exported) as { messages: unknown }).messages, null, 2)],
  ])('is read %s', (_, text) => expect(read('opencode', text).messages.map(({ id }) => id)).toEqual(reading.messages.map(({ id }) => id)));

  it('cut short gives what is whole, and says so', () => {
    const { messages, skipped } = read('opencode', exported.slice(0, exported.indexOf('"msg_o3"')));
    expect(messages).toHaveLength(4);
    expect(skipped).toHaveLength(1);
    expect(skipped[0]).toContain('cut-short');
  });

  it('of a subagent has no prompt', () => {
    const child = exported.replace('"slug": "calm-reef"', '"parentID": "ses_1"');
    expect(read('opencode', child).messages[0]).toMatchObject({ role: 'assistant', agentId: 'ses_5bdea460dffe' });
  });
});
