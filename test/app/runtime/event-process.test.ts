import { expect, test } from 'vitest';
import { eventArguments } from '../../../src/app/runtime/event-process.ts';

test.each([
  { argv: ['Stop'], named: { event: 'Stop', client: 'claude-code' } },
  { argv: ['Stop', 'codex'], named: { event: 'Stop', client: 'codex' } },
  { argv: ['Stop', 'nobody'], named: { event: 'Stop', client: 'claude-code' } },
  { argv: ['hook', 'UserPromptSubmit', '--client', 'qwen'], named: { event: 'UserPromptSubmit', client: 'qwen' } },
  { argv: ['hook', 'Nope', '--client', 'qwen'], named: undefined },
  { argv: ['hook', 'UserPromptSubmit', '--client', 'nobody'], named: undefined },
])('$argv names $named', ({ argv, named }) => {
  expect(eventArguments(argv)).toEqual(named);
});
