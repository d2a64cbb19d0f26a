import { expect, test } from 'vitest';
import { UserPrompts } from '../../../src/app/hooks/user-prompts.ts';
import type { HookCall } from '../../../src/app/hooks/call.ts';
import { ok } from '../../../src/core/result.ts';

test('nothing of one session counts in the next: replies, prompts and saved categories', async () => {
  const episode = { facts: { sessionId: 'x', client: 'claude-code' as const }, entries: [], whole: true };
  const prompts = new UserPrompts({ episodeOf: async () => ok({ episode } as never), typedPrompts: async () => undefined });
  const event = (call: Partial<HookCall> & Pick<HookCall, 'event'>, session: string): void =>
    prompts.noteEvent({ session, transcript: `${session}.jsonl`, ...call });
  event({ event: 'UserPromptSubmit', prompt: 'Which drink?' }, 'first');
  event({ event: 'Stop', lastMessage: 'Mangosteen juice' }, 'first');
  prompts.noteSaved('decision');
  expect([...((await prompts.words()) ?? [])]).toContain('mangosteen');

  event({ event: 'SessionStart' }, 'second');
  expect([...((await prompts.words()) ?? [])]).not.toContain('mangosteen');
  expect(prompts.takeNewPrompt()).toBe(false);
  expect(prompts.takeSavedCategories().size).toBe(0);
});
