import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { bareCopy, checkout, gitAnyway, PROMISOR } from '../attacks/git-traps.ts';
import { clients } from './sandbox/clients.ts';
import { holdfast, PLUGIN, SAVE } from './sandbox/plugin.ts';
import { sandbox, type Sandbox } from './sandbox/sandbox.ts';

/** A program that notes the command lines of the processes that it descends from: the client runs git too, as it likes. */
function tattler(box: Sandbox): { readonly program: string; readonly notes: string } {
  const [program, notes] = [path.join(box.home, 'program.sh'), path.join(box.home, 'ran')];
  const walk = `p=$$\nwhile [ "\${p:-0}" -gt 1 ]; do tr '\\0' ' ' < /proc/$p/cmdline; echo; p=$(sed 's/.*) [A-Z] //' /proc/$p/stat | cut -d' ' -f1); done`;
  writeFileSync(program, `#!/bin/sh\n{ echo '--- ran by'; ${walk}\n} >> ${notes}\nexit 1\n`);
  chmodSync(program, 0o755);
  return { program, notes };
}

/** Runs whose ancestors include one of the plugin's programs. */
const runsOfHoldfast = (notes: string): readonly string[] =>
  (existsSync(notes) ? readFileSync(notes, 'utf8') : '').split('--- ran by').filter((run) => run.includes(path.join(PLUGIN, 'dist') + path.sep));

describe.each(clients)('Claude Code $version', (client) => {
  test.runIf(process.platform === 'linux').each(['a clone', 'a bare repository inside a clone'])(
    '%s whose promisor remote is a program: Holdfast runs nothing',
    async (kind) => {
      const box = await sandbox(client);
      const { program, notes } = tattler(box);
      const source = checkout(path.join(box.home, 'source'));
      const store = path.join(box.project, 'vendor', 'store');
      rmSync(path.join(box.project, '.git'), { recursive: true });
      if (kind === 'a clone') PROMISOR.set(bareCopy(source, path.join(box.project, '.git')), program);
      else {
        checkout(box.project);
        PROMISOR.set(bareCopy(source, store), program);
      }
      const folder = kind === 'a clone' ? box.project : store;
      gitAnyway(folder, ['rev-list', 'HEAD', '--']);
      expect(existsSync(notes), 'the trap works on plain git').toBe(true);
      rmSync(notes);

      holdfast(box, 'config', 'set', 'on', 'true', '--user');
      const words = 'Remember that we use SQLite for the queue because it needs no server';
      const save = { tool: SAVE, input: { category: 'decision', text: 'Use SQLite for the queue because it needs no server', asked: words } };
      box.model.play([{ when: words, steps: [{ calls: [save] }, { text: 'kept' }] }]);
      const ask = (prompt: string) => box.runIn(folder, '--plugin-dir', PLUGIN, '-p', prompt);
      expect((await ask(words)).stdout).toBe('kept\n');
      expect((await ask('Which database does the queue use?')).code).toBe(0);
      for (const command of [['brief'], ['import', '--git'], ['status']]) {
        spawnSync(process.execPath, [path.join(PLUGIN, 'dist', 'cli.js'), ...command], { cwd: folder, env: box.env });
      }
      expect(await box.left()).toEqual([]);
      expect(box.model.asked.some(({ text }) => text.includes('created decision/use-sqlite-for-the-queue'))).toBe(true);
      expect(runsOfHoldfast(notes)).toEqual([]);
    },
  );
});
