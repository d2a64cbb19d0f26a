import { describe, expect, it } from 'vitest';
import { fixture, read } from './reading.ts';

describe('the plain form', () => {
  const reading = read('chat', fixture('chat.jsonl'));

  it('gives a message a line, none twice', () => {
    expect(reading.messages).toEqual([
      { id: 'm1', sessionId: 'c1', role: 'user', speaker: 'North', at: '2025-07-01T10:00:00Z', text: 'Shall we open on Sundays?' },
      { id: 'm2', sessionId: 'c1', role: 'assistant', at: '2025-07-01T10:00:05Z', text: 'Only in summer, the staff said.' },
      { id: 'm1', sessionId: 'c2', role: 'user', speaker: 'South', at: '2025-07-01T10:01:00.000Z', text: 'Please order paper rolls.' },
    ]);
    expect(reading.skipped).toEqual(['5 no-message']);
  });

  it('gives the sessions with their project', () => {
    expect(Object.values(reading.facts).map(({ sessionId, project, client }) => [sessionId, project, client])).toEqual([
      ['c1', 'kiosk', 'chat'],
      ['c2', 'kiosk', 'chat'],
    ]);
  });

  it.each([
    ['not json', '1 broken-json'],
    ['7', '1 not-an-object'],
    ['{"session_id":"s","role":"user","text":" "}', '1 no-message'],
    ['{"role":"user","text":"hi"}', '1 no-session'],
  ])('%s costs itself', (line, reason) => {
    const { messages, skipped } = read('chat', `${line}\n{"session_id":"s","message_id":1,"role":"user","text":"ok"}`);
    expect(messages.map(({ id }) => id)).toEqual(['1']);
    expect(skipped).toEqual([reason]);
  });

  it('tells the end of every session, however many there are', () => {
    const lines = Array.from({ length: 3_000 }, (_, nth) => {
      const at = new Date(1_700_000_000_000 + nth * 1_000).toISOString();
      return JSON.stringify({ session_id: `s${nth % 1_500}`, message_id: nth, role: 'user', timestamp: at, text: 'hi' });
    });
    const ordered = lines.toSorted((a, b) => Number(/"s(\d+)"/.exec(a)?.[1]) - Number(/"s(\d+)"/.exec(b)?.[1]));
    const { facts } = read('chat', ordered.join('\n'));
    expect(Object.keys(facts)).toHaveLength(1_500);
    for (const { startedAt, endedAt } of Object.values(facts)) expect(Date.parse(endedAt ?? '') - Date.parse(startedAt ?? '')).toBe(1_500_000);
  });

  it('names a message without an id the same on every import', () => {
    const line = '{"session_id":"s","role":"user","timestamp":"2026-01-02T03:04:05Z","text":"ok"}';
    expect(read('chat', line).messages[0]?.id).toBe(read('chat', `\n${line}`).messages[0]?.id);
  });
});
