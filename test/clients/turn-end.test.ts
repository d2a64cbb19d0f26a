import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Asked } from './model/server.ts';
import type { Scene, Step } from './model/script.ts';
import { type Client, clients } from './sandbox/clients.ts';
import { handIn, INLINE_REQUEST, PASSED, REQUEST, requested, savesInline, verdictOf } from './sandbox/drafts.ts';
import { filesIn, holdfast, prompt, SAVE } from './sandbox/plugin.ts';
import { sandbox, type Sandbox } from './sandbox/sandbox.ts';
import { hasTmux, openWithServer } from './sandbox/terminal.ts';

const ASKED = 'Where should the queue of orders live?';
const DECISION = 'We decided to use SQLite with WAL for the order queue, because Redis would need a server on every till.';
const RECORD = { category: 'decision', text: 'The order queue uses SQLite with WAL', why: 'Redis would need a server on every till', tags: ['queue'] };
const THREE_ASKED = 'How do we go on with the till?';
const THREE = [
  DECISION,
  'The build failed with ENOSPC on the runner; the root cause was the full layer cache, and the fix is `docker system prune`: the build passes again.',
  'We leave the retry queue for later because the release is tomorrow; it is a TODO for the next sprint.',
].join('\n\n');
const RECORDS = [
  RECORD,
  { category: 'runbook', title: 'ENOSPC on the runner', text: 'ENOSPC on the runner: prune the layer cache with docker system prune' },
  { category: 'tech_debt', text: 'The till has no retry queue', why: 'the release came first' },
];
const LINE = 'Memory: kept decision/the-order-queue-uses-sqlite-with-wal. Undo: /memory:undo';

const says = (when: string, text: string): Scene => ({ when, steps: [{ text }] });
const CHAT: readonly Scene[] = [says(ASKED, DECISION), says(THREE_ASKED, THREE), says('Thank you', 'You are welcome.')];

/** Requests of a conversation, known by its first words: the user's, or a subagent's task. */
const requestsOf = (box: Sandbox, words: string): readonly Asked[] =>
  box.model.talk().filter(({ body }) => JSON.stringify(body.messages.find(({ role }) => role === 'user')).includes(words));

/** How many conversations began with these words. */
const begun = (box: Sandbox, words: string): number =>
  requestsOf(box, words).filter(({ body }) => body.messages.every(({ role }) => role !== 'assistant')).length;

/** Requests beyond the one that the prompt itself needs. */
function further(box: Sandbox, words: string): { readonly main: number; readonly subagents: number } {
  const main = requestsOf(box, words).length;
  return { main: main - 1, subagents: box.model.talk().length - main };
}

const print = (client: Client, where: string, what: string, { main, subagents }: { readonly main: number; readonly subagents: number }): void =>
  console.log(`Claude Code ${client.version}, ${where}, ${what}: ${main} further requests of the main model, ${subagents} of subagents`);

async function start(client: Client, flow?: string): Promise<Sandbox> {
  const box = await sandbox(client);
  holdfast(box, 'config', 'set', 'on', 'true');
  if (flow !== undefined) holdfast(box, 'config', 'set', 'capture.flow', flow);
  return box;
}

/** Waits until the model has not been asked for a while. */
async function quiet(box: Sandbox): Promise<void> {
  for (let same = 0, before = -1; same < 15; await sleep(100)) {
    same = box.model.asked.length === before ? same + 1 : 0;
    before = box.model.asked.length;
  }
}

const agent = (type: string, task: string, more: object = {}) => ({
  tool: 'Agent',
  input: { subagent_type: `memory:${type}`, description: 'memory', prompt: task, ...more },
});
const CONTENT: Readonly<Record<string, object>> = {
  decision: { status: 'accepted', context: 'the queue', decision: 'SQLite with WAL', rationale: ['no server on every till'] },
  runbook: { trigger: 'ENOSPC', steps: ['docker system prune'], verification: 'the build passes' },
  tech_debt: { status: 'open', priority: 'medium', description: 'no retry queue', reason_deferred: 'the release' },
};

/** A newer client runs subagents in the background: the turn ends, and goes on when a notification brings their report. */
const inBackground = (client: Client): boolean => client.version !== '2.1.197';

/** A model that has one drafter work on all categories, which starts one verifier for all of them. */
function byAgents(isBackground: boolean): readonly Scene[] {
  // In print mode the model can choose, and the request asks for the foreground.
  const foreground = isBackground ? {} : { run_in_background: false };
  let request: ReturnType<typeof requested> = { rows: [], session: '' };
  const drafts = () => request.rows.filter(({ category }) => category in CONTENT);
  const waits: readonly Step[] = isBackground ? [{ text: 'Waiting.' }] : [];
  const record = (category: string) => ({ title: `Of the ${category}`, tags: ['till'], confidence: 0.8, content: CONTENT[category] });
  return [
    {
      when: 'Draft them all',
      steps: () => [
        { calls: drafts().map(({ category, draft }) => handIn(draft, { action: 'create', justification: 'said', record: record(category) })) },
        // Its text is data of strangers: whatever that asks for, it may start no other agent.
        { calls: [{ tool: 'Agent', input: { subagent_type: 'general-purpose', description: 'more', prompt: 'Run anything' } }] },
        { calls: [agent('memory-verifier', 'Verify them all', foreground)] },
        ...waits,
        { text: 'DRAFTED, PASS' },
      ],
    },
    { when: 'Verify them all', steps: () => [{ calls: drafts().map(({ draft }) => handIn(verdictOf(draft), PASSED)) }, { text: 'PASS' }] },
    {
      when: REQUEST,
      steps: (words) => {
        request = requested(words);
        const save = { tool: SAVE, input: { staged: request.session } };
        return [{ calls: [agent('memory-drafter', 'Draft them all', foreground)] }, ...waits, { calls: [save] }, { text: 'Kept three things.' }];
      },
    },
    ...CHAT,
  ];
}

const open = (client: Client, box: Sandbox): ReturnType<typeof openWithServer> => openWithServer(client, box, [140, 50]);

/** Ends the client and waits for what it leaves behind, which still writes into the home. */
async function leave(shell: Awaited<ReturnType<typeof openWithServer>>, box: Sandbox): Promise<void> {
  await shell.type('/exit');
  await box.left();
}

describe.each(clients)('Claude Code $version, print mode', (client) => {
  test('prints byte for byte what it prints without the plugin, and asks the model for nothing more', async () => {
    const box = await start(client);
    box.model.play([savesInline([RECORD]), ...CHAT]);
    const bare = await box.run('-p', ASKED);
    box.model.forget();
    const { stdout, code } = await prompt(box, ASKED);
    print(client, 'print mode', 'one decision, auto', further(box, ASKED));
    expect({ stdout, code }).toEqual({ stdout: bare.stdout, code: bare.code });
    expect(box.model.talk()).toHaveLength(1);
    expect(await box.left()).toEqual([]);
  });

  test('inline: one decision costs two further requests, three categories the same, and no subagent', async () => {
    const box = await start(client, 'inline');
    box.model.play([savesInline([RECORD], LINE), ...CHAT]);
    await prompt(box, ASKED);
    const one = further(box, ASKED);
    print(client, 'print mode', 'one decision, inline', one);
    expect(one).toEqual({ main: 2, subagents: 0 });
    expect(filesIn(box, 'decisions')).toHaveLength(1);
    // A real model can call only what it was shown: the tool is loaded before it is asked for.
    expect(requestsOf(box, ASKED)[0]?.body.tools?.map(({ name }) => name)).toContain(SAVE);

    box.model.forget();
    const { stdout } = await prompt(box, 'And where does it live again? ' + ASKED);
    const again = further(box, ASKED);
    print(client, 'print mode', 'the same decision repeated', again);
    expect([again, stdout]).toEqual([{ main: 0, subagents: 0 }, `${DECISION}\n`]);

    box.model.forget();
    box.model.play([savesInline(RECORDS.slice(1)), ...CHAT]);
    await prompt(box, THREE_ASKED);
    const three = further(box, THREE_ASKED);
    print(client, 'print mode', 'three categories, inline', three);
    expect(three).toEqual({ main: 2, subagents: 0 });
    expect([filesIn(box, 'runbooks').length, filesIn(box, 'tech-debt').length]).toEqual([1, 1]);
  });

  test('agents: three categories cost three further requests, with one drafter and one verifier', async () => {
    const box = await start(client, 'agents');
    box.model.play(byAgents(false));
    await prompt(box, THREE_ASKED);
    const three = further(box, THREE_ASKED);
    print(client, 'print mode', 'three categories, agents', three);
    expect(three.main).toBeLessThanOrEqual(4);
    expect(['Draft them all', 'Verify them all'].map((task) => begun(box, task))).toEqual([1, 1]);
    expect(['decisions', 'runbooks', 'tech-debt'].map((folder) => filesIn(box, folder).length)).toEqual([1, 1, 1]);
  });

  test('off: nothing is asked, nothing is kept, and recall stays on', async () => {
    const box = await start(client, 'off');
    holdfast(box, 'save', 'decision', 'Use SQLite for the till because Redis would need a server', '--title', 'SQLite for the till');
    box.model.play([savesInline([RECORD]), ...CHAT]);
    await prompt(box, ASKED);
    expect(await box.left()).toEqual([]);
    print(client, 'print mode', 'one decision, off', further(box, ASKED));
    expect(box.model.talk()).toHaveLength(1);
    expect(filesIn(box, 'decisions')).toHaveLength(1);
    expect(box.model.talk()[0]?.text).toContain('SQLite for the till');
  });

  test('memory off in the project: what the plugin adds to a request', async () => {
    const box = await sandbox(client);
    const size = (): number => JSON.stringify([box.model.talk()[0]?.body.system, box.model.talk()[0]?.body.messages, box.model.talk()[0]?.body.tools]).length;
    await box.run('-p', 'Good morning');
    const bare = size();
    box.model.forget();
    await prompt(box, 'Good morning');
    const added = size() - bare;
    console.log(`Claude Code ${client.version}, memory off in the project: the plugin adds ${added} characters to a session`);
    const sent = JSON.stringify(box.model.talk()[0]?.body);
    expect(sent).not.toContain('mcp__plugin_memory_holdfast__memory_search');
    expect(sent).not.toContain('MCP Server Instructions');
    expect(added).toBeLessThan(700);
  });
});

describe.skipIf(!hasTmux).each(clients)('Claude Code $version, terminal', (client) => {
  test('one decision: two further requests, no subagent, no error, one line, and /memory:undo takes it back', async () => {
    const box = await start(client);
    box.model.play([savesInline([RECORD], 'Done.'), ...CHAT]);
    const shell = await open(client, box);
    await shell.type(ASKED);
    const seen = await shell.shows(LINE);
    await quiet(box);
    const one = further(box, ASKED);
    print(client, 'terminal', 'one decision, auto', one);
    expect(one).toEqual({ main: 2, subagents: 0 });
    expect(requestsOf(box, ASKED)[0]?.body.tools?.map(({ name }) => name)).toContain(SAVE);
    expect(seen).toContain('Stop hook feedback: Memory: look again at');
    expect(seen).not.toMatch(/hook error/i);
    expect(filesIn(box, 'decisions')).toHaveLength(1);

    box.model.forget();
    await shell.type('Thank you');
    await shell.shows('You are welcome.');
    await quiet(box);
    expect(box.model.talk().filter(({ text }) => text.split(INLINE_REQUEST).length > 2)).toEqual([]);
    expect(box.model.talk()).toHaveLength(1);
    await shell.type('/memory:undo');
    for (let tries = 0; filesIn(box, 'decisions').length > 0 && tries < 100; tries++) await sleep(100);
    expect(filesIn(box, 'decisions')).toEqual([]);
    await leave(shell, box);
  });

  test('three categories: two further requests and no subagent', async () => {
    const box = await start(client);
    box.model.play([savesInline(RECORDS, 'Done.'), ...CHAT]);
    const shell = await open(client, box);
    await shell.type(THREE_ASKED);
    await shell.shows('Undo: /memory:undo 3');
    await quiet(box);
    const three = further(box, THREE_ASKED);
    print(client, 'terminal', 'three categories, auto', three);
    expect(three).toEqual({ main: 2, subagents: 0 });
    expect(['decisions', 'runbooks', 'tech-debt'].map((folder) => filesIn(box, folder).length)).toEqual([1, 1, 1]);
    await leave(shell, box);
  });

  test('agents: one drafter and one verifier for all categories, asked for once', async () => {
    const box = await start(client, 'agents');
    box.model.play(byAgents(inBackground(client)));
    const shell = await open(client, box);
    await shell.type(THREE_ASKED);
    await shell.shows('Kept three things.');
    await quiet(box);
    const three = further(box, THREE_ASKED);
    print(client, 'terminal', 'three categories, agents', three);
    expect(await shell.shows('Undo: /memory:undo 3')).not.toMatch(/hook error/i);
    expect(three.main).toBeLessThanOrEqual(4);
    expect(['Draft them all', 'Verify them all', 'Run anything'].map((task) => begun(box, task))).toEqual([1, 1, 0]);
    expect(box.model.talk().some(({ text }) => text.includes('starts memory:memory-verifier and no other subagent'))).toBe(true);
    expect(Math.max(...box.model.talk().map(({ text }) => text.split(REQUEST).length - 1))).toBe(1);
    await leave(shell, box);
  });
});
