import { expect, test } from 'vitest';
import { refuse } from '../../../src/core/result.ts';
import { type Connect, main } from '../../../src/edges/cli/main.ts';

test('the line of progress is cleared before the answer', async () => {
  const written: string[] = [];
  const facts = { sessionId: 'gone', client: 'claude-code' };
  const cli = {
    caller: 'person',
    progress: (text: string) => written.push(`[${text}]`),
    open: () => Promise.resolve({ memory: { key: 'webshop' } }),
    drafting: () => Promise.resolve({}),
    episodes: () =>
      Promise.resolve({ recent: () => Promise.resolve([{ facts }]), find: () => Promise.resolve(refuse('NOT_FOUND', 'There is no such session.')) }),
  };
  const terminal = { isTerminal: false, isErrorTerminal: () => false, out: (text: string) => written.push(text), err: (text: string) => written.push(text) };
  await main(['drafts', '--all', '--save'], terminal, (() => cli) as unknown as Connect);
  expect(written.slice(0, 2)).toEqual(['[Drafting from session 1 of 1]', '[]']);
  expect(written.join('')).toContain('1 session read');
});
