import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { contextIn, environment, place, PLUGIN, talkTo } from '../mcp/talk.ts';

const MANY = 300;

test('a record edited by hand in a large memory, while nobody was there, is known to the first prompt', async () => {
  const there = place();
  const cli = (...args: readonly string[]): string =>
    spawnSync(process.execPath, [path.join(PLUGIN, 'dist', 'cli.js'), ...args], { cwd: there.project, env: environment(there), encoding: 'utf8' }).stdout;
  cli('save', 'decision', 'Invoices are numbered per country because the law asks for it', '--title', 'Invoices per country');
  const folder = path.join(there.privateRoot, 'decisions');
  const [first = ''] = fs.readdirSync(folder);
  const text = fs.readFileSync(path.join(folder, first), 'utf8');
  for (let n = 0; n < MANY; n++)
    fs.writeFileSync(path.join(folder, `kept-${n}.md`), text.replaceAll('invoices-per-country', `kept-${n}`).replaceAll('Invoices', `Matter ${n}`));
  const old = new Date(Date.now() - 60_000);
  for (const name of ['', ...fs.readdirSync(folder)]) fs.utimesSync(path.join(folder, name), old, old);
  cli('rebuild');
  for (let look = 0; look < 2; look++) cli('search', 'matter');
  const edited = path.join(folder, 'kept-170.md');
  const { mtime } = fs.statSync(folder);
  // In place: nothing but the file itself shows it.
  fs.writeFileSync(edited, fs.readFileSync(edited, 'utf8').replaceAll('the law asks', 'the zeppelin hangar of Friedrichshafen asks'));
  fs.utimesSync(folder, mtime, mtime);
  const server = talkTo(there);
  await server.ask('initialize', { protocolVersion: '2025-06-18' });
  expect(contextIn(await server.hook('UserPromptSubmit', { prompt: 'What did we decide about the zeppelin hangar of Friedrichshafen?' }))).toContain(
    'decision/kept-170',
  );
});

test('under the plugin more is asked for by the server’s tools', async () => {
  const there = place();
  spawnSync(process.execPath, [path.join(PLUGIN, 'dist', 'cli.js'), 'save', 'decision', 'Invoices are numbered per country because the law asks for it'], {
    cwd: there.project,
    env: environment(there),
  });
  const server = talkTo(there);
  const brief = contextIn(await server.hook('SessionStart', { source: 'startup' }));
  const recalled = contextIn(await server.hook('UserPromptSubmit', { prompt: 'How are invoices numbered per country?', session_id: 's-2' }));
  for (const said of [brief, recalled]) {
    expect(said).toContain('`memory_search`');
    expect(said).toContain('`memory_get`');
    expect(said).not.toMatch(/`holdfast (?:search|get)/);
  }
});
