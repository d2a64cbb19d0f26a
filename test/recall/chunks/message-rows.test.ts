import { describe, expect, test } from 'vitest';
import type { Message } from '../../../src/core/episode/episode.ts';
import { chunkKind, chunkPlace, unitOf } from '../../../src/recall/chunks/split-text.ts';
import { episodeRows } from '../../../src/recall/chunks/message-rows.ts';

const message = (id: string, more: Partial<Message>): Message => ({ id, sessionId: 's', role: 'assistant', text: '', ...more });

describe('an episode', () => {
  const { chunks, nextPlace, size } = episodeRows(3, [
    message('m1', { role: 'user', text: 'Fix the flaky login test', at: '2026-03-01T10:00:00Z' }),
    message('m2', {
      text: 'The clock is mocked twice.',
      thinking: 'Look at the fixture',
      toolCalls: [
        { id: 'c1', name: 'Bash', input: 'npx vitest run login\nRun the login tests', files: [], command: 'npx vitest run login' },
        { id: 'c2', name: 'Edit', input: 'test/login.test.ts\nuseFakeTimers()', files: ['test/login.test.ts'] },
      ],
    }),
    message('m3', { role: 'tool', text: '1 failed', answers: 'c1' }),
    message('m4', { text: 'Shall I commit?' }),
  ]);

  test('gives a chunk of its kind for all that was said, run and written', () => {
    expect(chunks.map(({ id, messageId }) => [chunkKind(id), messageId])).toEqual([
      ['prompt', 'm1'],
      ['reply', 'm2'],
      ['reply', 'm2'],
      ['command', 'm2'],
      ['code', 'm2'],
      ['reply', 'm4'],
    ]);
  });

  test('leaves out what tools answered', () => {
    expect(chunks.some(({ terms }) => terms.includes('fail'))).toBe(false);
  });

  test('keeps time and whether a message asks', () => {
    expect(chunks[0]?.at).toBe(Date.UTC(2026, 2, 1, 10));
    expect(chunks.map(({ asks }) => asks ?? false)).toEqual([false, false, false, false, false, true]);
  });

  test('counts code as one step, so that what is said before and after it stays together', () => {
    const places = chunks.map(({ id }) => chunkPlace(id));
    expect((places[5] as number) - (places[4] as number)).toBe(1);
    expect(chunks.every(({ id }) => unitOf(id) === 3)).toBe(true);
    expect(size).toBe(chunks.filter(({ id }) => chunkKind(id) !== 'code').reduce((sum, { terms }) => sum + terms.length, 0));
  });

  test('that grows is continued where it ended, as if it had been whole', () => {
    const messages = [message('a', { text: 'First words here' }), message('b', { text: 'Second words here' })];
    const whole = episodeRows(0, messages);
    const first = episodeRows(0, messages.slice(0, 1));
    const second = episodeRows(0, messages.slice(1), first.nextPlace);
    expect([...first.chunks, ...second.chunks]).toEqual(whole.chunks);
    expect(nextPlace).toBeGreaterThan(0);
  });
});

test('a message with a speaker is said, and a caption behind it does not hide its question', () => {
  const { chunks } = episodeRows(0, [message('a', { role: 'user', speaker: 'Ann', text: 'Where was it? [shared an image: a photo of a beach]' })]);
  expect(chunks.map(({ id, speaker, asks }) => [chunkKind(id), speaker, asks])).toEqual([['said', 'Ann', true]]);
});
