import { describe, expect, test } from 'vitest';
import type { Message } from '../../../src/core/episode/episode.ts';
import { judgeUse, type ShownItem } from '../../../src/recall/use/judge-use.ts';

const START = Date.parse('2026-03-01T10:00:00Z');
const after = (seconds: number): string => new Date(START + seconds * 1_000).toISOString();

const message = (role: Message['role'], seconds: number, text: string, more: Partial<Message> = {}): Message => ({
  id: `${role}-${seconds}`,
  sessionId: 's',
  role,
  at: after(seconds),
  text,
  ...more,
});
const user = (seconds: number, text: string): Message => message('user', seconds, text);
const agent = (seconds: number, text: string, more: Partial<Message> = {}): Message => message('assistant', seconds, text, more);
const calls = (name: string, input: string, command?: string): Partial<Message> => ({
  toolCalls: [{ id: 't', name, input, files: [], ...(command !== undefined && { command }) }],
});

const DECISION: ShownItem = {
  id: 'decision/webhook-backoff',
  title: 'Webhook retries wait exponentially, capped at ninety seconds',
  text: '- d4f7 (decision, 2026-01-01, confirmed): Webhook retries wait exponentially, capped at ninety seconds, jitter from murmur hashes',
  at: START,
  onlyInBrief: false,
};
const RULE: ShownItem = { ...DECISION, id: 'rule:never-commit-plans', title: 'Never commit the harbour plans', text: '- Never commit the harbour plans' };
const asks = user(0, 'Why do our webhook calls pile up?');

const judged = (item: ShownItem, ...messages: readonly Message[]): string | undefined => judgeUse([item], [asks, ...messages]).get(item.id);

describe('what a session made of an item', () => {
  test.each<[string, string | undefined, ShownItem, readonly Message[]]>([
    [
      'the answer says what only the item could say',
      'followed',
      DECISION,
      [agent(5, 'They wait exponentially with murmur jitter, so a pile of ninety is normal.')],
    ],
    ['a command says it', 'followed', DECISION, [agent(5, '', calls('Bash', 'grep -rn "murmur" --include jitter.ts exponentially', 'grep'))]],
    ['the answer only has words of the prompt', 'unused', DECISION, [agent(5, 'The webhook calls pile up because our pool is small.')]],
    ['the brief alone had it, and nothing came of it', 'passed', { ...DECISION, onlyInBrief: true }, [agent(5, 'The pool is small.')]],
    [
      'the agent had said it before it was shown',
      'unused',
      DECISION,
      [agent(-60, 'Retries wait exponentially, capped by murmur jitter at ninety.'), agent(5, 'As I said: exponentially, capped, murmur, ninety.')],
    ],
    ['the agent looked it up', 'fetched', DECISION, [agent(5, '', calls('mcp__plugin_memory_holdfast__memory_get', '{"ids":["decision/webhook-backoff"]}'))]],
    ['by a command', 'fetched', DECISION, [agent(5, '', calls('Bash', 'holdfast get webhook-backoff', 'holdfast get webhook-backoff'))]],
    [
      'the agent opened a quotation',
      'fetched',
      { ...DECISION, id: '852d20cc-0000-4000-8000-000000000001' },
      [agent(5, '', calls('memory_get', '{"ids":["852d20cc"]}'))],
    ],
    ['the agent looked up another', 'unused', DECISION, [agent(5, '', calls('memory_get', 'decision/other-thing'))]],
    ['nothing came after it', undefined, DECISION, []],
    ['it has no words of its own', undefined, { ...DECISION, text: '- Webhook calls pile up' }, [agent(5, 'The pool is small.')]],
    ['the user says the same rule later', 'repeated', RULE, [agent(5, 'Done.'), user(60, 'Please never commit the harbour plans.')]],
    ['the user takes it back', 'contradicted', RULE, [agent(5, 'Done.'), user(60, 'From today on, commit the harbour plans.')]],
    ['the user only asks', undefined, RULE, [user(60, 'Do we never commit the harbour plans?')]],
    ['the prompt that brought it up', undefined, RULE, [user(1, 'Never commit the harbour plans.')]],
  ])('%s: %s', (_, outcome, item, messages) => {
    expect(judged(item, ...messages)).toBe(outcome);
  });

  test('what was quoted of a conversation is never taken for a rule', () => {
    const quote: ShownItem = { ...RULE, id: '3f2a-message' };
    expect(judged(quote, agent(5, 'Done.'), user(60, 'Never commit the harbour plans.'))).toBeUndefined();
  });
});
