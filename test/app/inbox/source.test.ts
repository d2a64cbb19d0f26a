import { expect, test } from 'vitest';
import { sourceLines } from '../../../src/app/inbox/source.ts';
import type { MemoryRecord } from '../../../src/core/record/schema.ts';
import { agent, tool, user } from '../../capture/triage/talk.ts';

const recordFrom = (id: string, title: string): MemoryRecord =>
  ({ category: 'decision', title, content: {}, origin: { channel: 'capture', message_ids: [id] } }) as unknown as MemoryRecord;
const sourceOf = (message: ReturnType<typeof tool>, title: string) =>
  sourceLines(
    { facts: { sessionId: 's1', client: 'claude-code' }, entries: [user('Go on'), agent('Which?'), message], whole: true },
    recordFrom(message.id, title),
  );

test('an answer that came through a tool is shown as the user’s, with its own question', () => {
  const answers = tool(
    'User has answered your questions: "Where should the share action live?"="Both\nof them", "Should a share be read-only?"="Yes". You can now continue.',
  );
  expect(sourceOf(answers, 'Yes — Should a share be read-only')).toMatchObject([{ role: 'user', text: 'Should a share be read-only? Yes' }]);
  expect(sourceOf(answers, 'Both — Where should the share action live')).toMatchObject([
    { role: 'user', text: 'Where should the share action live? Both of them' },
  ]);
});

test('what a tool printed stays the tool’s', () => {
  expect(sourceOf(tool('shares are read-only'), 'Shares are read-only')).toMatchObject([{ role: 'tool', text: 'shares are read-only' }]);
});
