import { describe, expect, test } from 'vitest';
import { clients } from './sandbox/clients.ts';
import { holdfast, prompt, SAVE } from './sandbox/plugin.ts';
import { sandbox } from './sandbox/sandbox.ts';

const STATED = 'Remember: never commit files under docs/plans.';
const RULE = 'Never commit files under docs/plans';
const BEFORE = 'for=\\"action\\"';

const bash = (command: string) => ({ calls: [{ tool: 'Bash', input: { command, description: 'git' } }] });

describe.each(clients)('Claude Code $version', (client) => {
  test('a rule about commits stated in one session stands before git commit in the next, and nothing before git status', async () => {
    const box = await sandbox(client);
    holdfast(box, 'config', 'set', 'on', 'true');
    const save = { tool: SAVE, input: { category: 'preference', text: RULE, asked: STATED } };
    box.model.play([
      { when: STATED, steps: [{ calls: [save] }, { text: 'kept' }] },
      {
        when: 'Wrap this up',
        steps: [bash('git status'), bash('git commit --allow-empty -m "Add a page"'), bash('git commit --allow-empty -m "More"'), { text: 'done' }],
      },
    ]);
    await prompt(box, STATED);
    const before = box.model.asked.length;
    const { stdout } = await prompt(box, 'Wrap this up', '--allowedTools', 'Bash');
    expect(stdout).toBe('done\n');
    const told = box.model.asked.slice(before).map(({ body }) => JSON.stringify(body.messages).split(BEFORE).length - 1);
    const [asked = 0, status = 0, commit = 0, again = 0] = told.slice(-4);
    expect([asked, status, commit, again]).toEqual([0, 0, 1, 1]);
    expect(JSON.stringify(box.model.asked.at(-1)?.body.messages).split(BEFORE)[1]).toContain(RULE);
    expect(await box.left()).toEqual([]);
  });
});
