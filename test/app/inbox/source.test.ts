import { expect, test } from 'vitest';
import type { Episodes } from '../../../src/app/episodes/episodes.ts';
import { recordSource } from '../../../src/app/inbox/source.ts';
import { ok } from '../../../src/core/result.ts';
import type { MemoryRecord } from '../../../src/core/record/schema.ts';
import { agent, tool, user } from '../../capture/triage/talk.ts';

const recordFrom = (id: string, title: string): MemoryRecord =>
  ({ category: 'decision', title, content: {}, origin: { channel: 'capture', session_id: 's1', message_ids: [id] } }) as unknown as MemoryRecord;

function sourceOf(message: ReturnType<typeof tool>, title: string) {
  const episode = { facts: { sessionId: 's1', client: 'claude-code' }, entries: [user('Go on'), agent('Which?'), message], whole: true };
  const episodes = { find: () => Promise.resolve(ok({ episode })) } as unknown as Pick<Episodes, 'find'>;
  return recordSource(episodes, recordFrom(message.id, title));
}

test('an answer that came through a tool is shown as the user’s, with its own question', async () => {
  const answers = tool(
    'User has answered your questions: "Where should the share action live?"="Both\nof them", "Should a share be read-only?"="Yes". You can now continue.',
  );
  expect(await sourceOf(answers, 'Yes — Should a share be read-only')).toMatchObject([{ role: 'user', text: 'Should a share be read-only? Yes' }]);
  expect(await sourceOf(answers, 'Both — Where should the share action live')).toMatchObject([
    { role: 'user', text: 'Where should the share action live? Both of them' },
  ]);
});

test('what a tool printed stays the tool’s', async () => {
  expect(await sourceOf(tool('shares are read-only'), 'Shares are read-only')).toMatchObject([{ role: 'tool', text: 'shares are read-only' }]);
});
