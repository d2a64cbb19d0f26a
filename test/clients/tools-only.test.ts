import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { spawnProgram } from '../edges/cli/program.ts';
import { PATIENCE } from '../patience.ts';
import { scratch } from '../scratch.ts';
import { startPlainModel } from './model/plain-model.ts';
import { configure, isThere, otherEnvironment, runClient, TOOLS_ONLY } from './sandbox/other-clients.ts';
import { processesWith, stop } from './sandbox/processes.ts';

const DECISION = 'Invoices are numbered per country because the law asks for it';
const RULE = 'Never commit without running the linter, because the pipeline fails';

describe.each(TOOLS_ONLY)('$name', (client) => {
  const { name, command } = client;

  test.skipIf(!isThere(client))('after init its model is offered the tools of memory and is told to search; what it finds is in the next request', async () => {
    const model = await startPlainModel();
    onTestFinished(() => model.close());
    const home = scratch();
    const project = path.join(home, 'shop');
    mkdirSync(project);
    configure(client, home, model.url);
    const id = `tools-${name}-${path.basename(home)}`;
    const env = otherEnvironment(home, model.url, id);
    const living = () => processesWith(`HOLDFAST_SANDBOX=${id}`);
    onTestFinished(() => living().forEach(({ pid }) => stop(pid)));
    if (name === 'cline') await runClient([command[0] ?? '', 'auth', '-p', 'openai-compatible', '-k', 'x', '-m', 'm', '-b', `${model.url}/v1`], project, env);
    const holdfast = (...words: readonly string[]) => expect(spawnProgram(words, { cwd: project, env })).toMatchObject({ code: 0 });
    holdfast('init', '--client', name, '--yes');
    holdfast('save', 'decision', DECISION);
    holdfast('save', 'constraint', RULE);

    model.calls.push({ tool: 'memory_search', input: { query: 'invoices' } });
    // Cline runs until its model says that it is done.
    if (name === 'cline')
      model.calls.push(
        { tool: 'run_commands', input: { commands: ['git commit -m x'] } },
        { tool: 'submit_and_exit', input: { summary: 'All of it is done now.', verified: true } },
      );
    await runClient([...command, 'How do we number invoices of Spain?'], project, env);
    expect(model.calls).toEqual([]);
    const talk = model.asked.filter((body) => body.includes('memory_search'));
    expect(talk[0]).toContain('How do we number invoices of Spain?');
    expect(talk[0]).not.toContain('client_event');
    expect(talk[0]).not.toContain('numbered per country');
    // The server's instructions, or the rules file.
    expect(talk[0]).toMatch(/[Bb]efore (?:you decid|decid)/);
    expect(talk[1]).toContain('numbered per country');
    if (name === 'cline') expect(talk.at(-1)).toMatch(/for=\\*"action[^]*running the linter/);
    holdfast('init', '--client', name, '--remove', '--yes');
    await vi.waitFor(() => expect(living().filter(({ command: line }) => line.includes('dist/'))).toEqual([]), PATIENCE);
  });
});
