import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { updateAfterSession, type SessionUpdate } from '../../../src/app/memory-files/after-session.ts';
import { diagnose } from '../../../src/app/memory-files/diagnose.ts';
import { fileSettings, memoryFileOf } from '../../../src/app/memory-files/memory-file.ts';
import { summaryText } from '../../../src/app/memory-files/session-notes.ts';
import { updateMemory } from '../../../src/app/memory-files/update.ts';
import { startContext } from '../../../src/app/memory-files/start.ts';
import { undo } from '../../../src/app/history/undo.ts';
import { searchMemory } from '../../../src/app/search/ranking.ts';
import { must, openMemory, save, type Opened } from '../memory.ts';

const SESSION = '8fd17d3d-0000-4000-8000-000000000001';
const OTHER = '8fd17d3d-0000-4000-8000-000000000002';
const OWNER = { projectKey: 'project', projectHash: '0123456789ab', projectPath: '/srv/project' };
const ORIGIN = { channel: 'capture', session_id: SESSION };

const fileOf = ({ memory }: Opened) => memoryFileOf(memory, OWNER);
const end = (opened: Opened, more: object = {}): Promise<SessionUpdate> =>
  updateAfterSession(opened.memory, fileOf(opened), { actor: 'hook', sessionId: SESSION, ...more });
const textOf = ({ root }: Opened): string => fs.readFileSync(path.join(root, 'memory', 'MEMORY.md'), 'utf8');

async function summarise({ memory }: Opened, completed: readonly string[], sessionId = SESSION, decided: readonly string[] = []): Promise<void> {
  must(
    await save(
      memory,
      'session_summary',
      {
        origin: { ...ORIGIN, session_id: sessionId },
        related_files: ['src/limit.ts'],
        content: {
          goal: 'Limit requests',
          outcome: 'success',
          completed: [...completed],
          blockers: ['staging is down'],
          next_actions: ['measure it'],
          tracking_points: decided.map((text) => ({ label: 'Decision', text })),
        },
      },
      { sessionId },
    ),
  );
}

describe('the end of a session', () => {
  it('updates MEMORY.md from its summary and records when enough was done', async () => {
    const opened = openMemory();
    await summarise(opened, ['limit', 'tests', 'docs']);
    const decision = { status: 'accepted', context: 'c', decision: '100 a minute', rationale: ['the mail provider allows no more'] };
    must(await save(opened.memory, 'decision', { title: 'At most 100 requests', origin: ORIGIN, content: decision }));
    must(await save(opened.memory, 'decision', { title: 'Of another session' }));
    const done = await end(opened);
    expect(done).toMatchObject({ updated: true, update: { backup: false } });
    expect(textOf(opened)).toMatch(
      /^## Session Summary - \d{4}-\d\d-\d\d \d\d:\d\d\n\n### Key Decisions\n- At most 100 requests: the mail provider allows no more\n\n### Files Modified\n- src\/limit\.ts\n\n### Issues\/Notes\n- staging is down\n- measure it\n/,
    );
    expect(textOf(opened)).not.toContain('another session');
    expect(fs.readFileSync(path.join(opened.root, 'memory', `session-${SESSION}.md`), 'utf8')).toContain('- limit\n- tests\n- docs');
    expect((await searchMemory([{ memory: opened.memory }], { query: 'mail provider', limit: 5, kind: 'document' })).map(({ id }) => id)).toContain(
      'memory/MEMORY',
    );
  });

  it('leaves it alone below the threshold, unless the architecture changed or somebody asks', async () => {
    const opened = openMemory();
    await summarise(opened, ['one', 'two']);
    expect(await end(opened)).toEqual({ updated: false, because: '2 finished tasks, and updateThreshold is 3' });
    expect(await end(opened, { force: true })).toMatchObject({ updated: true });
    const other = openMemory();
    await summarise(other, []);
    const content = { status: 'accepted', area: 'architecture', context: 'c', decision: 'Split it', rationale: ['size'] };
    must(await save(other.memory, 'decision', { title: 'Split the API', origin: ORIGIN, content }));
    expect(await end(other)).toMatchObject({ updated: true });
    const told = openMemory();
    await summarise(told, [], SESSION, ['We split the monolith because releases block each other']);
    expect(await end(told)).toMatchObject({ updated: true });
    for (const [decision, area, updated] of [
      ['Split the monolith into two services', undefined, true],
      ['Name the branch after the ticket', undefined, false],
      ['Rename the monolith in the docs', 'process', false],
    ] as const) {
      const third = openMemory();
      await summarise(third, []);
      must(
        await save(third.memory, 'decision', {
          title: decision,
          origin: ORIGIN,
          content: { status: 'accepted', area, context: 'c', decision, rationale: ['r'] },
        }),
      );
      expect(await end(third), decision).toMatchObject({ updated });
    }
  });

  it('honours enabled and autoUpdate, and waits for a summary', async () => {
    expect(await end(openMemory({ enabled: false }))).toEqual({ updated: false, because: 'enabled is false' });
    expect(await end(openMemory({ autoUpdate: false }))).toEqual({ updated: false, because: 'autoUpdate is false' });
    expect(await end(openMemory())).toMatchObject({ updated: false, missing: true });
  });

  it('stands in MEMORY.md once, however often the session ends', async () => {
    const opened = openMemory();
    await summarise(opened, ['a', 'b', 'c']);
    await end(opened);
    expect(await end(opened)).toEqual({ updated: false, because: 'MEMORY.md was updated with this summary before' });
    opened.at('2026-03-01T14:00:00Z');
    must(await save(opened.memory, 'constraint', { title: 'No more than one region', origin: ORIGIN }));
    expect(await end(opened)).toMatchObject({ updated: true });
    expect(textOf(opened).match(/^## Session Summary/gm)).toHaveLength(1);
    expect(textOf(opened)).toContain('No more than one region');
  });

  it('takes the place of what that session said, never of what another or a person said in the same minute', async () => {
    const opened = openMemory();
    await summarise(opened, ['a', 'b', 'c']);
    await end(opened);
    await updateMemory(fileOf(opened), { actor: 'command', summary: summaryText({ decisions: ['Said by hand'] }, opened.memory.now()), sessionId: SESSION });
    await summarise(opened, ['d', 'e', 'f'], OTHER);
    await end(opened, { sessionId: OTHER });
    must(await save(opened.memory, 'constraint', { title: 'No more than one region', origin: ORIGIN }));
    expect(await end(opened)).toMatchObject({ updated: true });
    expect(textOf(opened).match(/^## Session Summary/gm)).toHaveLength(3);
    for (const words of ['- Said by hand', '- No more than one region']) expect(textOf(opened)).toContain(words);
    expect(await end(opened, { sessionId: OTHER })).toMatchObject({ updated: false });
  });

  it('of several sessions at once is known for each of them', async () => {
    const opened = openMemory();
    const sessions = Array.from({ length: 6 }, (_, at) => `8fd17d3d-0000-4000-8000-00000000010${at}`);
    for (const id of sessions) await summarise(opened, ['a', 'b', id], id);
    await Promise.all(sessions.map((sessionId) => end(opened, { sessionId })));
    for (const sessionId of sessions)
      expect(await end(opened, { sessionId })).toEqual({ updated: false, because: 'MEMORY.md was updated with this summary before' });
    expect(textOf(opened).match(/^## Session Summary/gm)).toHaveLength(6);
  });

  it('does not bring back what a person took out, unless asked', async () => {
    const opened = openMemory();
    await summarise(opened, ['a', 'b', 'c']);
    await end(opened);
    fs.writeFileSync(path.join(opened.root, 'memory', 'MEMORY.md'), '# Mine\n');
    expect(await end(opened)).toEqual({ updated: false, because: 'MEMORY.md was updated with this summary before' });
    expect(await end(opened, { force: true })).toMatchObject({ updated: true });
    expect(await end(opened, { force: true })).toMatchObject({ updated: false });
    expect(textOf(opened).match(/^## Session Summary|^# Mine/gm)).toEqual(['## Session Summary', '# Mine']);
  });

  it('can be undone like any other write', async () => {
    const opened = openMemory();
    await summarise(opened, ['a', 'b', 'c']);
    await end(opened);
    must(await undo(opened.memory, { actor: 'test' }));
    expect(fs.readdirSync(path.join(opened.root, 'memory'))).toEqual(['context.json']);
  });
});

describe('a start', () => {
  it('asks for the switch, the project, the hash and the files, in this order, and injects last', async () => {
    const asked: string[] = [];
    const { memory } = openMemory();
    const note = <T>(what: string, value: T): T => {
      asked.push(what);
      return value;
    };
    const { block } = await startContext(
      {
        config: () => note('enabled', memory.config),
        projectPath: () => note('project', '/srv/shop'),
        hash: () => note('hash', '0123456789ab'),
        sources: (_path, hash) => [{ name: 'global_memory', file: 'MEMORY.md', read: async () => note(`load ${hash}`, 'known') }],
      },
      { now: 0, sessionId: 's' },
    );
    expect(asked).toEqual(['enabled', 'project', 'hash', 'load 0123456789ab']);
    expect(block).toMatch(/^## Loaded Memory Context\n\n### Project: shop\n### Session: s\n[\s\S]*\n## Global Memory\n\nknown\n/);
  });
});

describe('a diagnosis', () => {
  it('names what cannot be read, written or taken whole, and what is only off', async () => {
    const opened = openMemory();
    const file = { ...fileOf(opened), settings: { ...fileSettings(opened.memory.config), maxMemorySize: 1_000 } };
    const sources = [
      { name: 'global_memory', file: '/h/MEMORY.md', read: () => Promise.reject(new Error('EACCES')) },
      { name: 'project_memory', file: '/h/p/MEMORY.md', read: async () => 'x\n'.repeat(26_000) },
    ] as const;
    fs.mkdirSync(path.join(opened.root, 'memory'), { recursive: true });
    fs.writeFileSync(path.join(opened.root, 'memory', 'context.json'), '{"notices":["took out: Log", 7]}');
    const { findings, characters } = await diagnose({ owner: OWNER, sources, file, enabled: false, autoLoad: true, unwritable: 'EACCES: permission denied' });
    expect(characters).toBe(52_000);
    expect(findings.filter(({ level }) => level === 'problem').map(({ what }) => what)).toEqual([
      'enabled is false: nothing is loaded, injected or updated',
      '/h/MEMORY.md cannot be read',
      '/h/p/MEMORY.md has 52000 characters and maxMemorySize is 1000',
      'memory has 52000 characters in all, more than 50000',
      'MEMORY.md cannot be updated: EACCES: permission denied',
    ]);
    expect(findings.map(({ what }) => what)).toContain('the last update: took out: Log');
  });
});
