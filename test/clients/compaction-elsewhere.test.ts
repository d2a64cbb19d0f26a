import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { spawnProgram } from '../edges/cli/program.ts';
import { PATIENCE } from '../patience.ts';
import { scratch } from '../scratch.ts';
import { startPlainModel } from './model/plain-model.ts';
import { configure, isThere, type OtherClient, OTHER_CLIENTS, otherEnvironment, runClient } from './sandbox/other-clients.ts';
import { processesWith, stop } from './sandbox/processes.ts';
import { hasTmux, openScreen } from './sandbox/terminal.ts';

const DECISION = 'Invoices are numbered per country because the law asks for it';
const LATER = 'The till counts in cents because floats lost money';
const SUMMARY = 'SCRIPTED-SUMMARY';
/** More than a summary has, and less than makes a client compact by itself. */
const LONG = 40_000;

interface Terminal {
  /** The arguments of the client's terminal. */
  readonly options: readonly string[];
  readonly compacts: string;
  /** What the screen shows when a prompt can be typed. */
  readonly ready: string;
  readonly compacted: RegExp;
  /** A question that comes first, and Enter answers. */
  readonly asks?: string;
}

/** Clients whose user asks for a compaction in their terminal. */
const TERMINALS: Readonly<Record<string, Terminal>> = {
  gemini: { options: ['--skip-trust', '-m', 'gemini-2.5-pro'], compacts: '/compress', ready: 'Type your message', compacted: /history compressed from/ },
  qwen: { options: ['--approval-mode', 'yolo'], compacts: '/compress', ready: 'Type your message', compacted: /history compressed from/ },
  copilot: { options: ['--allow-all-tools'], compacts: '/compact', ready: '/ commands', compacted: /Compaction completed/, asks: 'Do you trust' },
};

/** How clients without a terminal are told that their context is small, and the tool that runs a command. */
const SMALL: Readonly<Record<string, { readonly env?: Record<string, string>; readonly says: number; readonly tool: string; readonly more: object }>> = {
  copilot: { env: { COPILOT_PROVIDER_MAX_PROMPT_TOKENS: '50000' }, says: 49_500, tool: 'bash', more: { description: 'list' } },
  droid: { says: 150_000, tool: 'Execute', more: { summary: 'list', timeout: 20, riskLevel: 'low', riskLevelReason: 'none' } },
};

/** Droid compacts when the model says that more than this is full. */
const smaller = (client: OtherClient): OtherClient =>
  client.name !== 'droid'
    ? client
    : {
        ...client,
        settings: (url) =>
          Object.fromEntries(Object.entries(client.settings(url)).map(([file, text]) => [file, text.replace('{', '{"compactionTokenLimit":20000,')])),
      };

async function setUp(client: OtherClient, more: Record<string, string> = {}) {
  const model = await startPlainModel();
  onTestFinished(() => model.close());
  const home = scratch();
  const project = path.join(home, 'shop');
  mkdirSync(project);
  configure(client, home, model.url);
  const id = `compaction-${client.name}-${path.basename(home)}`;
  const env: Record<string, string> = { ...otherEnvironment(home, model.url, id), TERM: 'xterm-256color', LANG: 'C.UTF-8', ...more };
  const holdfast = (...words: readonly string[]) => expect(spawnProgram(words, { cwd: project, env })).toMatchObject({ code: 0 });
  holdfast('init', '--client', client.name, '--yes');
  holdfast('save', 'decision', DECISION);
  onTestFinished(() => processesWith(`HOLDFAST_SANDBOX=${id}`).forEach(({ pid }) => stop(pid)));
  return { model, home, project, env, holdfast };
}

const clients = OTHER_CLIENTS.filter(({ name }) => name in TERMINALS);

describe.each(clients)('$name', (client) => {
  const { name, command } = client;

  test.skipIf(!isThere(client) || !hasTmux)(
    'after a compaction that its user asked for in its terminal, the next prompt comes with what is remembered, also with what was decided since',
    async () => {
      const { options, compacts, ready, compacted, asks } = TERMINALS[name] as Terminal;
      const { model, home, project, env, holdfast } = await setUp(client);
      model.says(LONG);
      const program = command.slice(
        0,
        command.findIndex((word) => options[0] === word || word.startsWith('-')),
      );
      const shell = openScreen([...program, ...options].map((word) => `'${word}'`).join(' '), { home, project, env }, [140, 45]);
      if (asks !== undefined) {
        await shell.shows(asks);
        shell.press('Enter');
      }
      await shell.shows(ready);
      /** The request that holds a prompt. */
      const answers = async (prompt: string): Promise<string> => {
        await shell.type(prompt);
        await vi.waitFor(() => expect(model.asked.some((body) => body.includes(prompt))).toBe(true), PATIENCE);
        return model.asked.find((body) => body.includes(prompt)) ?? '';
      };
      expect(await answers('Look at the till')).toContain('numbered per country');
      await shell.shows('I have noted it.');
      await answers('Look at the drawer');
      await shell.shows(/Look at the drawer[^]*I have noted it\./);
      holdfast('save', 'decision', LATER);
      await shell.type(compacts);
      await shell.shows(compacted);
      const after = await answers('Go on with the till');
      expect(after).toContain(SUMMARY);
      expect(after).toMatch(/for=\\*"recovery/);
      expect(after).toContain('numbered per country');
      expect(after).toContain('counts in cents');
      // What was said at the start is gone with the conversation.
      expect(after).not.toMatch(/for=\\*"start/);
    },
  );
});

const inTurn = OTHER_CLIENTS.filter(({ name }) => name in SMALL);

describe.each(inTurn)('$name', (client) => {
  test.skipIf(!isThere(client))('after a compaction in the middle of a turn, what is remembered comes again with the next command', async () => {
    const { says, tool, more, env: small } = SMALL[client.name] as (typeof SMALL)[string];
    const { model, project, env } = await setUp(smaller(client), small);
    model.says(says);
    for (const command of ['ls', 'ls -a', 'ls -l']) model.calls.push({ tool, input: { command, ...more } });
    expect(await runClient([...client.command, 'Look at the till'], project, env)).toContain('I have noted it.');
    const compacted = model.asked.filter((body) => /SCRIPTED-SUMMARY/.test(body));
    expect(compacted.length).toBeGreaterThan(0);
    const told = model.asked.filter((body) => /for=\\*"recovery/.test(body));
    expect(told.at(-1)).toContain('numbered per country');
    expect(told.at(-1)).toContain(SUMMARY);
  });
});
