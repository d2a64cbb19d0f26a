import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { agents } from '../plugin/texts.ts';
import { clients } from './sandbox/clients.ts';
import { holdfast, PLUGIN, prompt } from './sandbox/plugin.ts';
import { sandbox } from './sandbox/sandbox.ts';

const DECISION = 'We decided to use SQLite with WAL for the order queue, because Redis would need a server on every till.';

/** What the text of an agent tells it to run, as the client shows it. */
const linesOf = (name: string, session: string): readonly string[] =>
  [...(agents.find((agent) => agent.name === name)?.body ?? '').matchAll(/`(node "[^`]+)`/g)].map(([, line = '']) =>
    line.replace('${CLAUDE_PLUGIN_ROOT}/dist', path.join(PLUGIN, 'dist')).replace('SESSION', session),
  );

const agent = (name: string) => ({
  tool: 'Agent',
  input: { subagent_type: `memory:${name}`, description: name, run_in_background: false, prompt: `Now ${name} it` },
});

describe.each(clients)('Claude Code $version', (client) => {
  test('the summarize and the synthesize agent read what they need without a question', async () => {
    const box = await sandbox(client);
    await prompt(box, '/memory:start');
    box.model.play([{ when: 'queue of orders', steps: [{ text: DECISION }] }]);
    const { stdout } = await prompt(box, 'Where should the queue of orders live?', '--output-format', 'json');
    const { session_id: session } = JSON.parse(stdout) as { session_id: string };
    expect(await box.left()).toEqual([]);

    holdfast(box, 'save', 'decision', DECISION);

    const reading = (name: string) => [
      ...linesOf(name, session).map((command) => ({ calls: [{ tool: 'Bash', input: { command, description: 'read' } }] })),
      { text: 'read' },
    ];
    box.model.play([
      { when: 'Now summarize it', steps: reading('summarize') },
      { when: 'Now synthesize it', steps: reading('synthesize') },
      { when: 'Sum up', steps: [{ calls: [agent('summarize')] }, { calls: [agent('synthesize')] }, { text: 'done' }] },
    ]);
    box.model.forget();
    await prompt(box, 'Sum up what we did');
    const last = (name: string): string =>
      box.model
        .talk()
        .filter(({ text }) => text.includes(`Now ${name} it`) && !text.includes('Sum up what we did'))
        .at(-1)?.text ?? '';
    for (const name of ['summarize', 'synthesize']) expect(last(name), name).not.toContain('requires approval');
    expect(last('summarize').split(DECISION).length).toBeGreaterThan(1);
    expect(last('synthesize')).toContain('## Current Status');
    expect(last('summarize')).not.toContain('End with a report');
  });
});
