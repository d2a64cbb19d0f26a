import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Call, Scene } from './model/script.ts';
import { clients } from './sandbox/clients.ts';
import { converse } from './sandbox/conversation.ts';
import { filesIn, holdfast, memoryOf, PLUGIN } from './sandbox/plugin.ts';
import { sandbox } from './sandbox/sandbox.ts';

const SKILL = readFileSync(path.join(PLUGIN, 'skills', 'memory-management', 'SKILL.md'), 'utf8');

/** The tools that the skill names for a phrase, in its order. */
const toolsFor = (phrase: string): readonly string[] =>
  (
    SKILL.split('\n')
      .find((line) => line.startsWith(`| "${phrase}`))
      ?.match(/`(memory_\w+)`/g) ?? []
  ).map((name) => name.slice(1, -1));

const call = (tool: string | undefined, input: object): Call => ({ tool: `mcp__plugin_memory_holdfast__${tool ?? 'none'}`, input: input as Call['input'] });

const RULE = 'Remember that we deploy on Tuesdays only, because the shop is quiet then';
const YES = 'Yes, that one';

/** A model that does what the skill says, step by step. */
function obedient(): readonly Scene[] {
  const [look] = toolsFor('What do you remember?');
  const [find, , keep] = toolsFor('Remember that');
  const [seek, show, retire] = toolsFor('Forget');
  const [search, get] = toolsFor('What did we decide about X?');
  const id = 'preference/we-deploy-on-tuesdays-only-because-the-shop-is-quiet-then';
  return [
    { when: 'What do you remember?', steps: [{ calls: [call(look, {})] }, { text: 'listed' }] },
    {
      when: RULE,
      steps: [
        { calls: [call(find, { query: 'deploy tuesdays' })] },
        { calls: [call(keep, { category: 'preference', text: 'We deploy on Tuesdays only, because the shop is quiet then', asked: RULE })] },
        { text: 'kept' },
      ],
    },
    {
      when: 'Forget the day we deploy on',
      steps: [
        { calls: [call(seek, { query: 'deploy tuesdays' })] },
        { calls: [call(show, { ids: [id] })] },
        // A model that does not wait for the answer gets nowhere.
        { calls: [call(retire, { id, reason: 'not wanted', asked: YES })] },
        { text: 'Is it the rule about Tuesdays?' },
      ],
    },
    { when: YES, steps: [{ calls: [call(retire, { id, reason: 'not wanted', asked: YES })] }, { text: 'forgotten' }] },
    {
      when: 'What did we decide about the queue?',
      steps: [
        { calls: [call(search, { query: 'queue', category: 'decision' })] },
        { calls: [call(get, { ids: ['decision/sqlite-for-the-queue'] })] },
        { text: 'told' },
      ],
    },
  ];
}

describe.each(clients)('Claude Code $version', (client) => {
  test('what a user says of memory does what the skill says: the index, a record that fits, a retirement after a yes, the decisions', async () => {
    const box = await sandbox(client);
    holdfast(box, 'config', 'set', 'on', 'true');
    holdfast(box, 'save', 'decision', '--title', 'SQLite for the queue', 'Use SQLite for the queue because Redis would need a server');
    holdfast(box, 'save', 'constraint', '--title', 'The queue holds 100 orders', 'The queue holds 100 orders');
    box.model.play(obedient());
    const talk = converse(client, box);
    const told = (): string => box.model.talk().at(-1)?.text ?? '';

    expect(await talk.say('What do you remember?')).toBe('listed');
    expect(told()).toMatch(/for="index">[^]*\[decision\] SQLite for the queue \(decision\/sqlite-for-the-queue\)/);

    expect(await talk.say(RULE)).toBe('kept');
    expect(filesIn(box, 'preferences')).toHaveLength(1);
    const [file = ''] = filesIn(box, 'preferences');
    const record = (): string => readFileSync(path.join(memoryOf(box), 'preferences', file), 'utf8');
    expect(record()).toContain('We deploy on Tuesdays only');
    expect(record()).toContain('asked: ');

    expect(await talk.say('Forget the day we deploy on')).toBe('Is it the rule about Tuesdays?');
    expect(told()).toContain(`the user has not said ${JSON.stringify(YES)}`);
    expect(record()).toContain('record_status: active');
    expect(await talk.say(YES)).toBe('forgotten');
    expect(record()).toContain('record_status: retired');

    expect(await talk.say('What did we decide about the queue?')).toBe('told');
    expect(told()).toContain('Redis would need a server');
    expect(told()).not.toContain('constraint/the-queue-holds-100-orders: ');
    await talk.close();
    expect(await box.left()).toEqual([]);
  });
});
