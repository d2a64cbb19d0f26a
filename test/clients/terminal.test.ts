import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { clients } from './sandbox/clients.ts';
import { holdfast } from './sandbox/plugin.ts';
import { sandbox } from './sandbox/sandbox.ts';
import { hasTmux, openTerminal } from './sandbox/terminal.ts';

describe.skipIf(!hasTmux).each(clients)('Claude Code $version in a terminal', (client) => {
  test('two turns, a compaction, a fresh start and a command', async () => {
    const box = await sandbox(client);
    holdfast(box, 'config', 'set', 'on', 'true');
    holdfast(
      box,
      'save',
      'decision',
      '--title',
      'SQLite for the order queue',
      'Use SQLite for the order queue because Redis would need a server on every till',
    );
    const found = '1 record: decision/sqlite-for-the-order-queue';
    box.model.play([
      { when: '<command-name>/memory:search', steps: [{ text: found }] },
      { when: 'Which database', steps: [{ text: 'SQLite, as decided: Redis would need a server on every till.' }] },
      { when: 'Thank you', steps: [{ text: 'You are welcome.' }] },
    ]);
    const shell = openTerminal(client, box);
    await shell.shows(/❯|>/);
    await shell.type('Which database does the order queue use?');
    await shell.shows('Redis would need a server on every till.');
    await shell.type('Thank you');
    const talked = await shell.shows('You are welcome.');
    const [first] = box.model.talk();
    expect(first?.text).toContain('for="start"');
    await shell.type('/compact');
    // The client prints what every compaction hook answers: one answer is enough.
    expect((await shell.shows(/[Cc]ompacted/)).match(/(?:Pre|Post)Compact/g) ?? []).toHaveLength(1);
    box.model.forget();
    await shell.type('Which database then?');
    await shell.shows('Which database then?');
    for (let tries = 0; box.model.talk().length === 0 && tries < 100; tries++) await sleep(100);
    expect(box.model.talk()[0]?.text).toContain('for="recovery"');
    await shell.type('/clear');
    await sleep(2000);
    box.model.forget();
    await shell.type('/memory:search order queue');
    const searched = await shell.shows(found);
    expect(box.model.talk()[0]?.text).toContain('SQLite for the order queue');
    const captures = path.resolve(import.meta.dirname, '../../node_modules/.cache/captures');
    mkdirSync(captures, { recursive: true });
    writeFileSync(path.join(captures, `terminal-${client.version}.txt`), `${talked}\n${searched}`);
    await shell.type('/exit');
    for (let tries = 0; box.living().some(({ command }) => /claude|mcp\.js/.test(command)) && tries < 100; tries++) await sleep(100);
    expect(box.living().filter(({ command }) => /mcp\.js/.test(command))).toEqual([]);
  });

  test('where there is no Node the user is told so, once', async () => {
    const box = await sandbox(client);
    const programs = path.join(box.home, 'programs');
    mkdirSync(programs);
    for (const name of ['sh', 'bash', 'git', 'tmux', 'env', 'cat', 'ls', 'uname', 'ps']) {
      const found = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim();
      if (found !== '') symlinkSync(found, path.join(programs, name));
    }
    box.model.play([{ when: 'Good morning', steps: [{ text: 'Good morning to you.' }] }]);
    const shell = openTerminal(client, { ...box, env: { ...box.env, PATH: programs } });
    await shell.shows('Holdfast needs Node 20.19 or newer');
    await shell.type('Good morning');
    const seen = await shell.shows('Good morning to you.');
    expect(seen.match(/Holdfast needs Node/g)).toHaveLength(1);
    await shell.type('/exit');
    await sleep(1000);
  });
});
