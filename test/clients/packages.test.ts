import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { root } from '../../scripts/bundle.js';
import { spawnProgram } from '../edges/cli/program.ts';
import { PATIENCE } from '../patience.ts';
import { scratch } from '../scratch.ts';
import { startPlainModel } from './model/plain-model.ts';
import { configure, isThere, OTHER_CLIENTS, otherEnvironment, runClient } from './sandbox/other-clients.ts';
import { processesWith } from './sandbox/processes.ts';

/** How each client installs and removes a package by its own command. */
const COMMANDS: Readonly<Record<string, { readonly install: readonly (readonly string[])[]; readonly remove: readonly string[] }>> = {
  codex: {
    install: [
      ['plugin', 'marketplace', 'add', path.join(root, 'dist/plugin/codex')],
      ['plugin', 'add', 'memory@holdfast'],
    ],
    remove: ['plugin', 'remove', 'memory@holdfast'],
  },
  gemini: { install: [['extensions', 'install', path.join(root, 'dist/plugin/gemini'), '--consent']], remove: ['extensions', 'uninstall', 'holdfast'] },
};

const DECISION = 'Invoices are numbered per country because the law asks for it';
const PROMPT = 'How do we number invoices of Spain?';

describe.each(OTHER_CLIENTS.filter(({ name }) => name in COMMANDS))('$name', (client) => {
  const { name, command } = client;
  const { install = [], remove = [] } = COMMANDS[name] ?? {};

  test.skipIf(!isThere(client))('installs the package by its own command, is told what is remembered where memory is on, and removes it again', async () => {
    const model = await startPlainModel();
    onTestFinished(() => model.close());
    const home = scratch();
    const project = path.join(home, 'shop');
    mkdirSync(project);
    configure(client, home, model.url);
    const env = otherEnvironment(home, model.url, `package-${name}`);
    const holdfast = (...words: readonly string[]) => spawnProgram(words, { cwd: project, env });
    const own = (words: readonly string[]): Promise<string> => runClient([command[0] ?? '', ...words], project, env);
    const asked = async (prompt: string): Promise<string> => {
      expect(await runClient([...command, prompt], project, env)).toContain('I have noted it.');
      return model.asked.find((body) => body.includes(prompt)) ?? '';
    };
    holdfast('save', 'decision', DECISION);
    for (const words of install) await own(words);
    expect(await asked('What is there to do?')).not.toContain('holdfast-memory');
    expect(holdfast('start')).toMatchObject({ code: 0 });
    expect(await asked(PROMPT)).toContain('numbered per country');
    expect(holdfast('doctor').out).toContain(`client  ${name}: its package is installed; hooks have run`);
    expect(holdfast('init', '--client', name, '--yes')).toMatchObject({ code: 1 });
    // A session is finished in the background, by the programs of the package.
    await vi.waitFor(() => expect(processesWith(`HOLDFAST_SANDBOX=package-${name}`)).toEqual([]), PATIENCE);
    await own(remove);
    expect(await asked('And what about Portugal?')).not.toContain('numbered per country');
    expect(holdfast('doctor').out).not.toContain('its package is installed');
  });
});
