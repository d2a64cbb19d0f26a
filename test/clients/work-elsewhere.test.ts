import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { spawnProgram } from '../edges/cli/program.ts';
import { scratch } from '../scratch.ts';
import { type PlannedCall, startPlainModel } from './model/plain-model.ts';
import { configure, isThere, OTHER_CLIENTS, otherEnvironment, runClient } from './sandbox/other-clients.ts';

const RULE = 'Never commit without running the linter, because the pipeline fails';
const PROMPT = 'Commit the price list';
const COMMAND = 'git commit --allow-empty -m prices';

/** The tools by which each client's model runs a command and reads a file. */
const TOOLS: Readonly<Record<string, (file: string) => readonly PlannedCall[]>> = {
  codex: () => [{ tool: 'exec_command', input: { cmd: COMMAND } }],
  gemini: (file) => [
    { tool: 'read_file', input: { file_path: file } },
    { tool: 'run_shell_command', input: { command: COMMAND } },
  ],
  opencode: (file) => [
    { tool: 'read', input: { filePath: file } },
    { tool: 'bash', input: { command: COMMAND, description: 'commit' } },
  ],
  kilo: (file) => [
    { tool: 'read', input: { filePath: file } },
    { tool: 'bash', input: { command: COMMAND, description: 'commit' } },
  ],
  copilot: (file) => [
    { tool: 'view', input: { path: file } },
    { tool: 'bash', input: { command: COMMAND, description: 'commit' } },
  ],
  qwen: (file) => [
    { tool: 'read_file', input: { file_path: file } },
    { tool: 'run_shell_command', input: { command: COMMAND, is_background: false } },
  ],
  droid: (file) => [
    { tool: 'Read', input: { file_path: file } },
    { tool: 'Execute', input: { command: COMMAND, summary: 'commit', timeout: 20, riskLevel: 'low', riskLevelReason: 'none' } },
  ],
};

/** In print mode Gemini CLI runs commands only when it may run all. */
const unasked = (command: readonly string[], name: string): readonly string[] =>
  name === 'gemini' ? [command[0] ?? '', '--approval-mode', 'yolo', ...command.slice(1)] : command;

interface KeptMessage {
  readonly role: string;
  readonly text: string;
}

describe.each(OTHER_CLIENTS)('$name', (client) => {
  const { name } = client;

  test.skipIf(!isThere(client))('what applies to a command stands beside its result; prompt, answer, command, output and file are imported', async () => {
    const model = await startPlainModel();
    onTestFinished(() => model.close());
    const home = scratch();
    const project = path.join(home, 'shop');
    mkdirSync(project);
    spawnSync('git', ['init', '-q', project]);
    for (const [key, value] of [
      ['user.name', 'Ada'],
      ['user.email', 'ada@example.org'],
    ] as const)
      spawnSync('git', ['-C', project, 'config', key, value]);
    const file = path.join(project, 'prices.txt');
    writeFileSync(file, 'apple 3\n');
    configure(client, home, model.url);
    const env = otherEnvironment(home, model.url, `work-${name}`);
    const holdfast = (...words: readonly string[]): string => {
      const { code, out, err } = spawnProgram(words, { cwd: project, env });
      expect(code, err).toBe(0);
      return out;
    };
    holdfast('init', '--client', name, '--yes');
    holdfast('save', 'constraint', RULE);
    model.calls.push(...(TOOLS[name]?.(file) ?? []));
    expect(await runClient([...unasked(client.command, name), PROMPT], project, env)).toContain('I have noted it.');
    expect(model.calls).toEqual([]);
    const last = model.asked.filter((body) => body.includes(PROMPT) && body.includes(COMMAND)).at(-1) ?? '';
    expect(last).toMatch(/for=\\*"action[^]{0,400}running the linter/);

    holdfast('import');
    const { entries } = JSON.parse(holdfast('timeline', '--json')) as { entries: readonly { id: string; kind: string }[] };
    const session = entries.find(({ kind }) => kind === 'session')?.id ?? '';
    const { messages } = JSON.parse(holdfast('messages', '--session', session, '--json')) as { messages: readonly KeptMessage[] };
    const said = (role: string): string => JSON.stringify(messages.filter((message) => message.role === role));
    expect(messages.filter(({ role }) => role === 'user').map(({ text }) => text)).toEqual([expect.stringContaining(PROMPT)]);
    expect(said('assistant')).toContain('I have noted it.');
    expect(said('assistant')).toContain(COMMAND);
    // Codex runs commands in a sandbox that may not write, and reads files by commands.
    expect(said('tool')).toContain(name === 'codex' ? 'Read-only file system' : 'prices');
    if (name !== 'codex') expect(said('assistant')).toContain('prices.txt');
    expect(JSON.stringify(messages)).not.toContain('running the linter');
  });
});
