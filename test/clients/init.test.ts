import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { filesUnder } from '../scratch.ts';
import { clients } from './sandbox/clients.ts';
import { INLINE_REQUEST, savesInline } from './sandbox/drafts.ts';
import { filesIn } from './sandbox/plugin.ts';
import { sandbox, type Sandbox } from './sandbox/sandbox.ts';

const CLI = path.resolve(import.meta.dirname, '../../dist/cli.js');
const TOLD = ['--output-format', 'stream-json', '--verbose', '--include-hook-events'];
const DECISION = 'We decided to use SQLite with WAL for the order queue, because Redis would need a server on every till.';

const init = (box: Sandbox, ...args: readonly string[]): number | null =>
  spawnSync(process.execPath, [CLI, 'init', '--yes', ...args], { cwd: box.project, env: box.env }).status;

const hooksIn = (stdout: string): readonly string[] => stdout.split('\n').filter((line) => line.includes('"hook_event"'));

describe.each(clients)('Claude Code $version', (client) => {
  test('without the plugin, init gives a project its memory, no other project notices, and --remove takes all of it back', async () => {
    const box = await sandbox(client);
    const other = path.join(box.home, 'other');
    mkdirSync(other);
    const before = filesUnder(box.project);
    expect(init(box)).toBe(0);
    box.model.play([
      savesInline(
        [{ category: 'decision', text: 'SQLite for the order queue', why: 'Redis would need a server on every till' }],
        'kept',
        'mcp__holdfast__memory_save',
      ),
      { when: 'queue of orders', steps: [{ text: DECISION }] },
    ]);
    spawnSync(process.execPath, [CLI, 'config', 'set', 'capture.flow', 'inline'], { cwd: box.project, env: box.env });
    const { stdout } = await box.run('-p', 'Where should the queue of orders live?', ...TOLD);
    expect(hooksIn(stdout).filter((line) => line.includes('"outcome":"error"'))).toEqual([]);
    expect(box.model.talk().some(({ text }) => text.includes(INLINE_REQUEST))).toBe(true);
    expect(filesIn(box, 'decisions')).toHaveLength(1);

    box.model.forget();
    await box.run('-p', 'Good morning');
    expect(box.model.talk()[0]?.text).toContain('SQLite for the order queue');

    box.model.forget();
    const elsewhere = await box.runIn(other, '-p', 'Where should the queue of orders live?', ...TOLD);
    expect(elsewhere.code).toBe(0);
    expect(hooksIn(elsewhere.stdout)).toEqual([]);
    expect(box.model.talk()[0]?.text).not.toContain('<holdfast-memory');

    expect(init(box, '--remove')).toBe(0);
    expect(filesUnder(box.project)).toEqual(before);
    expect(hooksIn((await box.run('-p', 'Good morning', ...TOLD)).stdout)).toEqual([]);
    expect(await box.left()).toEqual([]);
  });
});
