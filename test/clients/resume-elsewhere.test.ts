import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { spawnProgram } from '../edges/cli/program.ts';
import { PATIENCE } from '../patience.ts';
import { scratch } from '../scratch.ts';
import { startPlainModel } from './model/plain-model.ts';
import { configure, isThere, type OtherClient, OTHER_CLIENTS, otherEnvironment, runClient } from './sandbox/other-clients.ts';
import { processesWith } from './sandbox/processes.ts';

const DECISION = 'Invoices are numbered per country because the law asks for it';
const FULL = 150_000;
const SUMMARY = 'SCRIPTED-SUMMARY';

const QWEN_SCRIPT = OTHER_CLIENTS.find(({ name }) => name === 'qwen')?.command[1] ?? '';

/** How a client is told that its context is small, and how it goes on with its last session. */
const WAYS: Readonly<Record<string, { readonly resumed: readonly string[]; readonly small?: (text: string) => string }>> = {
  codex: {
    resumed: ['exec', 'resume', '--last', '--dangerously-bypass-hook-trust', '--skip-git-repo-check'],
    small: (text) => `model_auto_compact_token_limit = 100000\n${text}`,
  },
  gemini: { resumed: ['--skip-trust', '-m', 'gemini-2.5-pro', '--resume', 'latest', '-p'] },
  opencode: {
    resumed: ['run', '-m', 'scripted/m', '--continue'],
    small: (text) => text.replace('"name":"m"', '"name":"m","limit":{"context":100000,"output":10000}'),
  },
  kilo: {
    resumed: ['run', '-m', 'scripted/m', '--continue'],
    small: (text) => text.replace('"name":"m"', '"name":"m","limit":{"context":100000,"output":10000}'),
  },
  copilot: { resumed: ['--continue', '--allow-all-tools', '-p'] },
  qwen: { resumed: [QWEN_SCRIPT, '--approval-mode', 'yolo', '--continue', '-p'] },
};

const withSmallContext = (client: OtherClient, small: (text: string) => string): OtherClient => ({
  ...client,
  settings: (url) => Object.fromEntries(Object.entries(client.settings(url)).map(([file, text]) => [file, small(text)])),
});

async function setUp(client: OtherClient) {
  const model = await startPlainModel();
  onTestFinished(() => model.close());
  const home = scratch();
  const project = path.join(home, 'shop');
  mkdirSync(project);
  configure(client, home, model.url);
  const id = `resume-${client.name}-${path.basename(home)}`;
  const env = otherEnvironment(home, model.url, id);
  const holdfast = (...words: readonly string[]) => expect(spawnProgram(words, { cwd: project, env })).toMatchObject({ code: 0 });
  holdfast('init', '--client', client.name, '--yes');
  const run = (command: readonly string[], prompt: string): Promise<string> => runClient([...command, prompt], project, env);
  const ended = () => vi.waitFor(() => expect(processesWith(`HOLDFAST_SANDBOX=${id}`)).toEqual([]), PATIENCE);
  return { model, holdfast, run, ended };
}

const clients = OTHER_CLIENTS.filter(({ name }) => name in WAYS);

describe.each(clients)('$name', (client) => {
  const { resumed = [], small } = WAYS[client.name] ?? {};

  test.skipIf(!isThere(client))('a session that is resumed is told what was decided since', async () => {
    const { model, holdfast, run, ended } = await setUp(client);
    expect(await run(client.command, 'Look at the till')).toContain('I have noted it.');
    await ended();
    holdfast('save', 'decision', DECISION);
    expect(await run([client.command[0] ?? '', ...resumed], 'Go on with the till')).toContain('I have noted it.');
    const again = model.asked.find((body) => body.includes('Go on with the till')) ?? '';
    // Its own answer: Gemini CLI leaves a first prompt out that came with a hook's context.
    expect(again).toContain('I have noted it.');
    expect(again).toContain('numbered per country');
    await ended();
  });

  test.skipIf(!isThere(client) || small === undefined)('after a compaction the next request holds what is remembered again, beside the summary', async () => {
    const { model, holdfast, run, ended } = await setUp(withSmallContext(client, small ?? String));
    holdfast('save', 'decision', DECISION);
    model.calls.push({ tool: 'memory_status', input: {} });
    model.says(FULL);
    const said = run(client.command, 'Look at the till');
    await vi.waitFor(() => expect(model.asked.some((body) => body.includes(SUMMARY))).toBe(true), PATIENCE);
    model.says(10);
    expect(await said).toContain('I have noted it.');
    const after = model.asked.find((body) => body.includes(SUMMARY)) ?? '';
    expect(after).toContain('numbered per country');
    expect(after).toMatch(/for=\\*"recovery/);
    await ended();
  });
});
