import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { clients } from './sandbox/clients.ts';
import { holdfast, PLUGIN } from './sandbox/plugin.ts';
import { sandbox } from './sandbox/sandbox.ts';
import { hasTmux, openTerminal } from './sandbox/terminal.ts';

const QUESTION = 'Should the order queue move to Redis?';
const ANSWER = 'No: SQLite, as recorded. Redis would need a server on every till.';
const SECOND = 'What else is known about the tills?';
const SEARCH = 'mcp__plugin_memory_holdfast__memory_search';

/** A `holdfast` command for the client's shell, as `npm link` makes one. */
function programFolder(home: string): string {
  const folder = path.join(home, 'bin');
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'holdfast'), `#!/bin/sh\nexec '${process.execPath}' '${path.join(PLUGIN, 'dist/cli.js')}' "$@"\n`, { mode: 0o755 });
  return folder;
}

describe.skipIf(!hasTmux).each(clients.slice(-1))('Claude Code $version', (client) => {
  test('the picture in the README: a decision is recalled, the memory is searched, and `why` shows what was injected', async () => {
    const box = await sandbox(client);
    const env = { ...box.env, PATH: `${programFolder(box.home)}:${box.env['PATH'] ?? ''}` };
    holdfast(box, 'config', 'set', 'on', 'true');
    holdfast(
      box,
      'save',
      'decision',
      '--title',
      'SQLite for the order queue',
      'Use SQLite for the order queue because Redis would need a server on every till',
    );
    holdfast(box, 'save', 'constraint', '--title', 'Tills sell offline', 'A till keeps selling for a day without a network');
    box.model.play([
      { when: QUESTION, steps: [{ text: ANSWER }] },
      {
        when: SECOND,
        steps: [{ calls: [{ tool: SEARCH, input: { query: 'tills' } }] }, { text: 'A till keeps selling for a day without a network.' }],
      },
      { when: 'holdfast why', steps: [{ text: 'Both records came with your first prompt.' }] },
    ]);
    const shell = openTerminal(client, { ...box, env }, [100, 44]);
    await shell.shows(/❯|>/);
    await shell.type(QUESTION);
    await shell.shows('a server on every till.');
    expect(box.model.talk()[0]?.text).toContain('Redis would need a server on every till');
    await shell.type(SECOND);
    await shell.shows('● A till keeps selling');
    expect(box.model.talk().at(-1)?.text).toContain('Tills sell offline');
    await shell.type('!holdfast why');
    await shell.shows('Both records came');
    await sleep(1500);
    const captures = path.resolve(import.meta.dirname, '../../node_modules/.cache/captures');
    mkdirSync(captures, { recursive: true });
    writeFileSync(path.join(captures, 'claude-code.ansi'), shell.colouredScreen());
    await shell.type('/exit');
    await sleep(1000);
  });
});
