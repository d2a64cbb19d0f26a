import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Scene, Step } from './model/script.ts';
import { clients } from './sandbox/clients.ts';
import { handIn, PASSED, REQUEST, requested, verdictOf } from './sandbox/drafts.ts';
import { filesIn, holdfast, memoryOf, prompt, SAVE } from './sandbox/plugin.ts';
import { sandbox } from './sandbox/sandbox.ts';

const DECISION = 'We decided to use SQLite with WAL for the order queue, because Redis would need a server on every till.';
const TITLE = 'SQLite with WAL for the order queue';
const BRIEF = 'for="start"';
const PROMPTED = 'for="prompt"';

const DRAFT = {
  action: 'create',
  justification: 'a choice with its reason',
  record: {
    title: TITLE,
    tags: ['queue', 'sqlite'],
    confidence: 0.85,
    content: { status: 'accepted', context: 'the queue of orders', decision: 'SQLite with WAL', rationale: ['Redis would need a server on every till'] },
  },
};

const agent = (type: string, prompt_: string) => ({
  tool: 'Agent',
  input: { subagent_type: `memory:${type}`, description: 'memory', run_in_background: false, prompt: prompt_ },
});

/** What a diligent model does with the request of the Stop hook. */
const saving = (words: string): readonly Step[] => {
  const { rows, session } = requested(words);
  const { context = '', draft = '' } = rows.find(({ category }) => category === 'decision') ?? {};
  return [
    { calls: [agent('memory-drafter', `Draft a decision. Read ${context} and write ${draft}`)] },
    { calls: [agent('memory-verifier', `Verify ${draft} against ${context}`)] },
    { calls: [{ tool: SAVE, input: { staged: session } }] },
    { text: 'done' },
  ];
};

const drafting = (words: string): readonly Step[] => {
  const [, context = '', draft = ''] = /Read (\S+) and write (\S+)/.exec(words) ?? [];
  return [
    { calls: [{ tool: 'Read', input: { file_path: context } }] },
    { calls: [handIn(draft, DRAFT)] },
    { text: `CREATE\n${draft}\na choice with its reason` },
  ];
};

const verifying = (words: string): readonly Step[] => {
  const [, draft = '', context = ''] = /Verify (\S+) against (\S+)/.exec(words) ?? [];
  return [
    { calls: [draft, context].map((file) => ({ tool: 'Read', input: { file_path: file } })) },
    { calls: [handIn(verdictOf(draft), PASSED)] },
    { text: 'PASS' },
  ];
};

const DAY_ONE: readonly Scene[] = [
  { when: REQUEST, steps: saving },
  { when: 'Draft a decision.', steps: drafting },
  { when: '.memory-draft-', steps: verifying },
  { when: 'queue of orders', steps: [{ text: DECISION }] },
];

describe.each(clients)('Claude Code $version', (client) => {
  test('day one saves a decision by the Stop flow; day two is told of it, and only when it matters', async () => {
    const box = await sandbox(client);
    await prompt(box, '/memory:start');
    expect(box.model.talk()[0]?.text).toContain(`Memory mode active for shop. Context stored at ~/.claude/projects/shop/`);

    holdfast(box, 'config', 'set', 'capture.flow', 'agents');
    box.model.play(DAY_ONE);
    const dayOne = await prompt(box, 'Where should the queue of orders live?');
    expect(dayOne.stdout).toBe('done\n');
    // /memory:start and the prompt are two requests; one drafter, one verifier and the save are ten more.
    expect(box.model.talk()).toHaveLength(12);
    const [file = ''] = filesIn(box, 'decisions');
    expect(filesIn(box, 'decisions')).toHaveLength(1);
    expect(readFileSync(path.join(memoryOf(box), 'decisions', file), 'utf8')).toContain(TITLE);
    expect(box.model.talk().filter(({ text }) => text.includes(REQUEST)).length).toBeGreaterThan(0);

    const dayTwo = async (words: string) => {
      box.model.forget();
      await prompt(box, words);
      const text = box.model.talk()[0]?.text ?? '';
      return { brief: text.includes(BRIEF) && text.includes(TITLE), recalled: text.split(PROMPTED)[1]?.split('</holdfast-memory>')[0] };
    };
    expect(await dayTwo('Good morning')).toEqual({ brief: true, recalled: undefined });
    // What the brief has said is not said again, so that recall is looked at without one.
    holdfast(box, 'config', 'set', 'autoLoad', 'false');
    const recalled = expect.stringContaining('Redis would need a server on every till') as unknown;
    expect(await dayTwo('Why did we choose SQLite for the order queue?')).toEqual({ brief: false, recalled });
    expect(await dayTwo('Make the logo on the landing page blue')).toEqual({ brief: false, recalled: undefined });
    expect(box.model.talk()[0]?.text).not.toContain('<holdfast-memory');
  });

  test('a memory edited by hand between two sessions is told as it stands, once, with the first request', async () => {
    const box = await sandbox(client);
    await prompt(box, '/memory:start');
    holdfast(box, 'save', 'decision', DECISION, '--title', TITLE);
    await prompt(box, 'Good morning');
    const file = path.join(memoryOf(box), 'decisions', filesIn(box, 'decisions')[0] ?? '');
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('on every till', 'in every shop window'));
    box.model.forget();
    await prompt(box, 'And good afternoon');
    const [request] = box.model.talk();
    expect(request?.text.split(BRIEF)).toHaveLength(2);
    expect(request?.text).toContain('in every shop window');
    // Left to the server by the start, and taken up by it.
    const notes = path.join(box.config, 'holdfast', 'projects', path.basename(memoryOf(box)), 'sessions');
    const starts = readdirSync(notes).map((name) => (JSON.parse(readFileSync(path.join(notes, name), 'utf8')) as { start?: { told?: boolean } }).start);
    expect(starts.filter((start) => start?.told === true)).not.toEqual([]);
    expect(starts.filter((start) => start && start.told !== true)).toEqual([]);
  });
});
