import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { spawnProgram } from '../edges/cli/program.ts';
import { PATIENCE } from '../patience.ts';
import { scratch } from '../scratch.ts';
import { startPlainModel } from './model/plain-model.ts';
import { configure, isThere, OTHER_CLIENTS, otherEnvironment } from './sandbox/other-clients.ts';
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

const clients = OTHER_CLIENTS.filter(({ name }) => name in TERMINALS);

describe.each(clients)('$name', (client) => {
  const { name, command } = client;

  test.skipIf(!isThere(client) || !hasTmux)(
    'after a compaction that its user asked for in its terminal, the next prompt comes with what is remembered, also with what was decided since',
    async () => {
      const { options, compacts, ready, compacted, asks } = TERMINALS[name] as Terminal;
      const model = await startPlainModel();
      onTestFinished(() => model.close());
      const home = scratch();
      const project = path.join(home, 'shop');
      mkdirSync(project);
      configure(client, home, model.url);
      const id = `compaction-${name}-${path.basename(home)}`;
      const env = { ...otherEnvironment(home, model.url, id), TERM: 'xterm-256color', LANG: 'C.UTF-8' };
      const holdfast = (...words: readonly string[]) => expect(spawnProgram(words, { cwd: project, env })).toMatchObject({ code: 0 });
      holdfast('init', '--client', name, '--yes');
      holdfast('save', 'decision', DECISION);
      onTestFinished(() => processesWith(`HOLDFAST_SANDBOX=${id}`).forEach(({ pid }) => stop(pid)));
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
