import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { clients } from './sandbox/clients.ts';
import { holdfast, prompt, SAVE } from './sandbox/plugin.ts';
import { sandbox, type Sandbox } from './sandbox/sandbox.ts';

const DATA = fileURLToPath(new URL('../../../shared/bench/sde-dev/', import.meta.url));
const PROJECT = 'sde-conversation';
/** A rule of fewer words is held by chance. */
const FEWEST_WORDS = 5;
const TASKS = 8;
const ENOUGH = 6;

interface Report {
  readonly project: string;
  readonly prompt: string;
  readonly rule_words: readonly string[];
}

const rowsOf = (name: string): readonly Record<string, unknown>[] =>
  readFileSync(path.join(DATA, name), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** What memory says in the request that carries these words. */
function carriedWith(box: Sandbox, words: string): string {
  const asked = box.model.asked.map(({ body }) => JSON.stringify(body.messages)).find((text) => text.includes(JSON.stringify(words).slice(1, -1)));
  if (asked === undefined) throw new Error(`no request carries ${words}`);
  return asked.match(/<holdfast-memory.*?<\/holdfast-memory>/gs)?.join('\n') ?? '';
}

const bash = (command: string) => ({ calls: [{ tool: 'Bash', input: { command, description: 'git' } }] });
const wordsIn = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/[a-z0-9]+/g));

describe.each(clients)('Claude Code $version', (client) => {
  test('the request that carries a bug report holds the words of the rule that decides it', async ({ skip }) => {
    if (!existsSync(DATA)) skip('the conversations of sde-bench are not at hand');
    const reports = rowsOf('prompts.jsonl') as object[] as Report[];
    const tasks = reports.filter(({ project, rule_words: words }) => project === PROJECT && words.length >= FEWEST_WORDS).slice(0, TASKS);
    const box = await sandbox(client);
    holdfast(box, 'config', 'set', 'on', 'true');
    const chat = path.join(box.home, 'chat.jsonl');
    const said = rowsOf('messages.jsonl').filter(({ project }) => project === PROJECT);
    writeFileSync(chat, said.map((row) => `${JSON.stringify({ ...row, project: box.project })}\n`).join(''));
    holdfast(box, 'import', '--format', 'chat', chat);
    const shares: number[] = [];
    for (const { prompt: report, rule_words: words } of tasks) {
      await prompt(box, report);
      const held = wordsIn(carriedWith(box, report));
      shares.push(words.filter((word) => held.has(word)).length / words.length);
    }
    expect(tasks).toHaveLength(TASKS);
    expect(shares.filter((share) => share >= 0.5).length, `shares: ${shares.map((share) => share.toFixed(2)).join(', ')}`).toBeGreaterThanOrEqual(ENOUGH);
  });

  test('a rule that the agent saves when it is said stands before it at the next such task', async () => {
    const box = await sandbox(client);
    holdfast(box, 'config', 'set', 'on', 'true');
    const [stated, rule] = ['From now on every parser test is a table test, one row a case.', 'Every parser test is a table test, one row a case'];
    const task = 'Add tests for the date parser';
    const save = { tool: SAVE, input: { category: 'preference', text: rule, asked: stated } };
    box.model.play([{ when: stated, steps: [{ calls: [save] }, { text: 'kept' }] }]);
    await prompt(box, stated);
    await prompt(box, 'What is in this folder?');
    await prompt(box, task);
    expect(carriedWith(box, task)).toContain('one row a case');
    expect(await box.left()).toEqual([]);
  });

  test('what the user asked for in two sessions is told before git commit in the third, and nothing before git status', async () => {
    const box = await sandbox(client);
    holdfast(box, 'config', 'set', 'on', 'true');
    for (const words of ['Commit this, and update the changelog.', 'Now commit, and update the changelog please.']) {
      await prompt(box, words);
      // What was said comes in when the session has ended.
      expect(await box.left()).toEqual([]);
    }
    box.model.play([{ when: 'Wrap this up', steps: [bash('git status'), bash('git commit --allow-empty -m "Add a page"'), { text: 'done' }] }]);
    const before = box.model.asked.length;
    await prompt(box, 'Wrap this up', '--allowedTools', 'Bash');
    const told = box.model.asked.slice(before).map(({ body }) => JSON.stringify(body.messages).includes('Asked for in 2 earlier sessions'));
    expect(told.slice(-3)).toEqual([false, false, true]);
  });
});
