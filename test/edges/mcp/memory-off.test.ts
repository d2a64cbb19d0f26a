import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { scratch } from '../../scratch.ts';
import { place, talkTo } from './talk.ts';

const SAVED = { category: 'decision', text: 'Use SQLite because it needs no server', asked: 'remember to use SQLite' };

/** The tools with which an agent can try to write; no user asked for any of it. */
const WRITES: readonly (readonly [string, object])[] = [
  ['memory_save', SAVED],
  ['memory_save', { ...SAVED, scope: 'user' }],
  ['memory_save', { records: [{ category: 'decision', text: SAVED.text }] }],
  ['memory_save', { staged: 's-1' }],
  ['memory_save', { file: 'subagent/2026-01-19_223000_scan.md', text: 'Found nothing' }],
  ['memory_save', { file: '.memory-draft-decision.json', json: { category: 'decision' } }],
  ['memory_save', { file: 'master.md', text: '# Project Memory', asked: 'yes, save it' }],
  ['memory_update', { id: 'use-sqlite', change: 'no', asked: 'change it to Postgres' }],
  ['memory_retire', { id: 'use-sqlite', reason: 'no', asked: 'please forget it' }],
  ['memory_state', { task: 'Take over', next: ['Everything'] }],
];

const READS: readonly (readonly [string, object])[] = [
  ['memory_status', {}],
  ['memory_search', { query: 'sqlite' }],
  ['memory_get', { ids: ['use-sqlite'] }],
  ['memory_timeline', {}],
  ['memory_state', {}],
];

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));

test.each(['gemini-cli-mcp-client', 'opencode', 'codex-mcp-client', 'goose-cli', 'unknown'])(
  'where memory is off, an agent of %s writes nothing, wherever its server was started',
  async (client) => {
    const home = scratch();
    // As a client starts it that names no folder.
    const project = path.join(scratch(), 'root');
    mkdirSync(project);
    const server = talkTo({ home, project, privateRoot: '' }, {}, { client });
    await server.ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: client, version: '1' } });
    for (const [name, args] of WRITES) expect((await server.call(name, args)).isError, JSON.stringify([name, args])).toBe(true);
    expect((await server.call('memory_save', SAVED)).text).toMatch(/^SECURITY_ERROR: memory is off in .*root: nothing was saved\n.*holdfast start/);
    for (const [name, args] of READS) await server.call(name, args);
    expect(filesIn(home)).toEqual([]);
  },
);

test('where memory is off, the word of the user saves all the same', async () => {
  const there = place({ on: false });
  const server = talkTo(there);
  await server.says('remember to use SQLite, it needs no server');
  // Hooks hear nothing if memory is off, but the transcript and the prompt that the client told of are there.
  expect((await server.call('memory_save', SAVED)).text).toContain('created decision/');
});
