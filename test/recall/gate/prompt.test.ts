import { describe, expect, test } from 'vitest';
import { readPrompt } from '../../../src/recall/gate/prompt.ts';

describe('prompts that memory has nothing to say to', () => {
  test.each([
    ['', 'empty'],
    ['   \n ', 'empty'],
    ['👍', 'empty'],
    ['thanks', 'small talk'],
    ['Thank you so much!', 'small talk'],
    ['ok', 'small talk'],
    ['yes', 'small talk'],
    ['2', 'small talk'],
    ['the second one please', 'small talk'],
    ['looks good to me', 'small talk'],
    ['go ahead', 'small talk'],
    ['commit', 'small talk'],
    ['banana', 'too little to go by'],
    ['AuthService', 'too little to go by'],
    ['do the thing', 'too little to go by'],
    ['/clear', 'slash command'],
    ['/memory:search auth tokens', 'slash command'],
    ['/compact keep the plan', 'slash command'],
    ['!ls -la src', 'shell command'],
    ['! holdfast recall "auth"', 'own command'],
    ['holdfast search "auth tokens"', 'own command'],
    ['npx holdfast show decision/use-sqlite', 'own command'],
    ['<task-notification>\n<task-id>1</task-id><summary>auth tokens done</summary></task-notification>', 'written by the client'],
    ['<system-reminder>auth tokens were changed</system-reminder>', 'written by the client'],
    ['<command-name>/clear</command-name>', 'written by the client'],
    ['<local-command-stdout>auth tokens</local-command-stdout>', 'written by the client'],
    ['[Request interrupted by user]', 'written by the client'],
    ['This session is being continued from a previous conversation that ran out of context.', 'written by the client'],
    ['<holdfast-memory project="x">\nauth tokens expire\n</holdfast-memory>', 'empty'],
    ['2026-01-12 10:44:02 WARN  queue depth 941\n2026-01-12 10:44:09 ERROR job 7741 failed: connect ETIMEDOUT', 'pasted output without a question'],
    ['Traceback (most recent call last):\n  File "/srv/app.py", line 41, in main\nKeyError', 'pasted output without a question'],
    ['diff --git a/a.ts b/a.ts\n@@ -1 +1 @@\n-  let a = 1;\n+  let a = 2;', 'pasted output without a question'],
    ['```\nauth tokens = 3\n```', 'pasted output without a question'],
  ])('%j is silent: %s', (prompt, reason) => {
    expect(readPrompt(prompt)).toMatchObject({ asks: false, reason });
  });
});

describe('prompts that ask', () => {
  test.each([
    'why do auth tokens expire?',
    'rename the auth tokens table',
    'auth tokens',
    'how does holdfast recall decide what to inject?',
    'no, use the auth tokens table',
    'thanks, now add retries to the webhook client',
    'src/auth/tokens.ts is broken',
    '认证令牌为什么会过期',
    'トークンの有効期限',
  ])('%j is asked as it stands', (prompt) => {
    expect(readPrompt(prompt)).toEqual({ asks: true, text: prompt });
  });

  test('what the person said is asked, what they pasted beside it is left aside', () => {
    const prompt = 'why does the nightly billing import fail like this?\n```\nERROR connect ETIMEDOUT 10.0.4.7\n```';
    expect(readPrompt(prompt)).toEqual({ asks: true, text: 'why does the nightly billing import fail like this?' });
  });

  test.each(['I just wanted to format a timestamp', 'the build should not need this', 'trying to upgrade the driver'])('%j beside an error asks', (said) => {
    expect(readPrompt(`error: cannot find module chrono\ncrates/expr/src/fmt.rs:14\n${said}`).asks).toBe(true);
  });

  test('what was pasted is asked too where the person said little', () => {
    const read = readPrompt('why?\n2026-01-12 10:44:09 ERROR billing import failed');
    expect(read.asks && read.text).toContain('billing import failed');
  });

  test("the client's reminders and our own blocks beside the words are not asked", () => {
    const prompt = 'why do auth tokens expire?\n<system-reminder>remediation history</system-reminder>\n<holdfast-memory a="b">\nbilling\n</holdfast-memory>';
    expect(readPrompt(prompt)).toEqual({ asks: true, text: 'why do auth tokens expire?' });
  });
});
