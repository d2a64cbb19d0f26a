import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { undo } from '../../../src/app/history/undo.ts';
import { catchUp } from '../../../src/app/index/catch-up.ts';
import { findProblems } from '../../../src/app/read/doctor.ts';
import { rebuild } from '../../../src/app/read/rebuild.ts';
import { statusOfMemory } from '../../../src/app/read/status.ts';
import { startWork, stopSession } from '../../../src/app/work/begin.ts';
import { filesUnder } from '../../scratch.ts';
import { must, openMemory, save, type Opened } from '../memory.ts';

const by = { actor: 'test' } as const;
const read = ({ root }: Opened, file: string): string => fs.readFileSync(path.join(root, file), 'utf8');
const session = (opened: Opened): Record<string, unknown> => JSON.parse(read(opened, '_session.json')) as Record<string, unknown>;
const ZERO = { decisions: 0, analyses: 0, indexArchived: 0, subagentOutputs: 0 };

describe('starting', () => {
  test('makes the folders, the session file and the documents that are missing', async () => {
    const opened = openMemory();
    const { memory, root, project } = opened;
    expect(must(await startWork(memory, { ...by, branch: 'main' }))).toMatchObject({
      status: 'started',
      created: [expect.anything(), expect.anything(), expect.anything(), expect.anything()],
    });
    for (const folder of ['decisions', 'analysis', 'context', 'progress', 'subagent']) expect(fs.statSync(path.join(root, folder)).isDirectory()).toBe(true);
    expect(session(opened)).toMatchObject({
      active: true,
      started: '2026-03-01T12:00:00Z',
      projectKey: 'project',
      projectPath: project,
      branch: 'main',
      lastActivity: '2026-03-01T12:00:00Z',
      stats: ZERO,
    });
    for (const file of ['context/current-task.md', 'context/blockers.md', 'progress/active.md', 'progress/completed.md'])
      expect(read(opened, file)).toMatch(/^# /);
    expect(read(opened, '_index.md')).toMatch(/^Session: 2026-03-01T12:00:00Z\nStatus: ACTIVE$/m);
    expect(read(opened, '_index.md')).toContain('- **Task**: None\n- **Progress**: None\n- **Active Blocker**: None');
  });

  test('never writes over a document that is there', async () => {
    const opened = openMemory();
    fs.mkdirSync(path.join(opened.root, 'context'), { recursive: true });
    fs.writeFileSync(path.join(opened.root, 'context', 'current-task.md'), 'Nothing works on staging\n');
    expect(must(await startWork(opened.memory, by)).created).not.toContain('context/current-task.md');
    expect(read(opened, 'context/current-task.md')).toBe('Nothing works on staging\n');
    expect(read(opened, '_index.md')).toContain('- **Task**: Nothing works on staging');
  });

  test('again is the same session; after a stop it is another', async () => {
    const opened = openMemory();
    must(await startWork(opened.memory, by));
    opened.at('2026-03-01T13:00:00Z');
    expect(must(await startWork(opened.memory, by))).toMatchObject({ status: 'already_active', session: { started: '2026-03-01T12:00:00Z' } });
    must(await stopSession(opened.memory, by));
    expect(must(await startWork(opened.memory, by)).session.started).toBe('2026-03-01T13:00:00Z');
    must(await stopSession(opened.memory, by));
    expect(must(await startWork(opened.memory, by)).session.started).toBe('2026-03-01T13:00:01Z');
  });

  test('ends a session that nobody stopped, at its last activity', async () => {
    const opened = openMemory();
    must(await startWork(opened.memory, by));
    opened.at('2026-03-01T14:00:00Z');
    must(await save(opened.memory, 'decision'));
    opened.at('2026-03-02T09:00:00Z');
    expect(must(await startWork(opened.memory, by))).toMatchObject({
      status: 'started',
      closed: [{ started: '2026-03-01T12:00:00Z', ended: '2026-03-01T14:00:00Z' }],
    });
    expect(read(opened, '_index-archive.md')).toContain('| 2026-03-01T12:00:00Z | 2026-03-01T14:00:00Z | 0 |');
  });

  test('keeps what others put into the session file, and a copy of one that is damaged', async () => {
    const opened = openMemory();
    fs.mkdirSync(opened.root, { recursive: true });
    fs.writeFileSync(path.join(opened.root, '_session.json'), '{"active":false,"started":"2026-02-01T10:00:00Z","theirs":{"a":[1]}}');
    must(await startWork(opened.memory, by));
    expect(session(opened)).toMatchObject({ active: true, theirs: { a: [1] } });
    fs.writeFileSync(path.join(opened.root, '_session.json'), '{"active":tru');
    expect(must(await startWork(opened.memory, by)).warnings.join()).toContain('_session.json.damaged');
    expect(read(opened, '_session.json.damaged')).toBe('{"active":tru');
    expect(session(opened)).toMatchObject({ active: true });
  });

  test('refuses an id that could not name a session, and does nothing', async () => {
    const opened = openMemory();
    expect(await startWork(opened.memory, { ...by, sessionId: '../up' })).toMatchObject({ ok: false, error: { code: 'VALIDATION_ERROR' } });
    expect(filesUnder(opened.root)).toEqual({});
  });
});

describe('stopping', () => {
  test('archives the session, clears the flag, marks the index and deletes nothing', async () => {
    const opened = openMemory();
    must(await startWork(opened.memory, by));
    must(await save(opened.memory, 'decision'));
    const before = Object.keys(filesUnder(opened.root));
    opened.at('2026-03-01T18:00:00Z');
    expect(must(await stopSession(opened.memory, by))).toMatchObject({ status: 'stopped', ended: [{ ended: '2026-03-01T18:00:00Z' }] });
    expect(session(opened)).toMatchObject({ active: false, started: '2026-03-01T12:00:00Z', stats: { decisions: 1 } });
    expect(read(opened, '_index.md')).toMatch(/^Session: 2026-03-01T12:00:00Z\nStatus: INACTIVE$/m);
    expect(read(opened, '_index-archive.md')).toContain('| 2026-03-01T12:00:00Z | 2026-03-01T18:00:00Z | 0 |');
    expect(Object.keys(filesUnder(opened.root))).toEqual(before);
    expect(must(await stopSession(opened.memory, by))).toMatchObject({ status: 'already_inactive', ended: [] });
    expect(read(opened, '_index-archive.md').match(/^\| 2026/gm)).toHaveLength(1);
  });
});

describe('sessions of one project', () => {
  test('run side by side and end one by one', async () => {
    const opened = openMemory();
    must(await startWork(opened.memory, { ...by, sessionId: 'one' }));
    must(await startWork(opened.memory, { ...by, sessionId: 'two' }));
    expect((session(opened)['sessions'] as { started: string }[]).map(({ started }) => started)).toEqual(['2026-03-01T12:00:00Z', '2026-03-01T12:00:01Z']);
    opened.at('2026-03-01T12:30:00Z');
    expect(must(await stopSession(opened.memory, { ...by, sessionId: 'one' }))).toMatchObject({ open: [{ id: 'two' }] });
    expect(session(opened)).toMatchObject({ active: true, started: '2026-03-01T12:00:01Z' });
    expect(await stopSession(opened.memory, { ...by, sessionId: 'one' })).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
    must(await stopSession(opened.memory, by));
    expect(session(opened)).toMatchObject({ active: false, history: [{ id: 'one' }, { id: 'two' }] });
  });
});

describe('while a session runs', () => {
  test('every write counts, in the session file and in the index', async () => {
    const opened = openMemory();
    must(await save(opened.memory, 'decision'));
    must(await startWork(opened.memory, by));
    expect(session(opened)['stats']).toEqual(ZERO);
    opened.at('2026-03-01T12:05:00Z');
    must(await save(opened.memory, 'decision', { title: 'Another way' }));
    must(await save(opened.memory, 'analysis'));
    must(await save(opened.memory, 'subagent_report'));
    expect(session(opened)).toMatchObject({ lastActivity: '2026-03-01T12:05:00Z', stats: { decisions: 1, analyses: 1, indexArchived: 0, subagentOutputs: 1 } });
  });

  test('the 21st entry sends the oldest to the archive and is counted', async () => {
    const opened = openMemory();
    must(await startWork(opened.memory, by));
    const noon = Date.parse('2026-03-01T12:00:00Z') / 1000;
    for (const file of ['context/current-task.md', 'context/blockers.md', 'progress/active.md', 'progress/completed.md'])
      fs.utimesSync(path.join(opened.root, file), noon, noon);
    await catchUp(opened.memory);
    for (let at = 0; at < 19; at += 1) {
      opened.at(`2026-03-01T12:${String(10 + at)}:00Z`);
      must(await save(opened.memory, 'decision', { title: `Choice number ${at}` }));
    }
    expect(session(opened)['stats']).toMatchObject({ decisions: 19, indexArchived: 3 });
    expect(read(opened, '_index.md').match(/^\| (?:Decision|Context|Progress) /gm)).toHaveLength(20);
    expect(must(await stopSession(opened.memory, by)).status).toBe('stopped');
    expect(read(opened, '_index-archive.md')).toMatch(/^\| 2026-03-01T12:00:00Z \| 2026-03-01T12:28:00Z \| 3 \|$/m);
  });

  test('a quarantined record stands in no index and is not counted as archived from it', async () => {
    const opened = openMemory();
    must(await startWork(opened.memory, by));
    for (let at = 0; at < 18; at += 1)
      must(await save(opened.memory, 'decision', { title: `Choice number ${at}`, ...(at % 6 === 0 && { trust: 'quarantined' }) }));
    expect(session(opened)['stats']).toMatchObject({ indexArchived: 0 });
    must(await save(opened.memory, 'decision', { title: 'One' }));
    must(await save(opened.memory, 'decision', { title: 'Two' }));
    expect(session(opened)['stats']).toMatchObject({ indexArchived: 1 });
    expect(read(opened, '_index-archive.md').match(/^\| (?:Decision|Context|Progress) /gm)).toHaveLength(1);
  });

  test('an undo takes back records and leaves the session as it is', async () => {
    const opened = openMemory();
    must(await startWork(opened.memory, by));
    must(await save(opened.memory, 'decision'));
    must(await undo(opened.memory, by));
    expect(session(opened)).toMatchObject({ active: true, stats: ZERO });
    expect(await findProblems(opened.memory)).toEqual([]);
  });

  test('status tells activity, begin, counts and the health of the index', async () => {
    const opened = openMemory();
    must(await startWork(opened.memory, by));
    must(await save(opened.memory, 'decision'));
    const active = await statusOfMemory(opened.memory);
    expect(active.session).toMatchObject({
      active: true,
      started: '2026-03-01T12:00:00Z',
      index: { entries: 5, archived: 0, limit: 20, archivedSessions: 0, current: true },
      files: { decisions: 1, context: 2, progress: 2 },
    });
    must(await stopSession(opened.memory, by));
    expect((await statusOfMemory(opened.memory)).session).toMatchObject({ active: false, index: { archivedSessions: 1 } });
  });
});

test('a rebuild makes the index again from files alone and counts all of them', async () => {
  const opened = openMemory();
  must(await save(opened.memory, 'decision'));
  must(await startWork(opened.memory, by));
  must(await save(opened.memory, 'analysis'));
  fs.rmSync(path.join(opened.root, '_index.md'));
  fs.writeFileSync(path.join(opened.root, 'decisions', '2026-02-01_001_by-hand.md'), '# By hand\n\n**Date**: 2026-02-01T10:00:00Z\n\n## Decision\nyes\n');
  fs.utimesSync(path.join(opened.root, 'decisions', '2026-02-01_001_by-hand.md'), 0, Date.parse('2026-02-01T10:00:00Z') / 1000);
  expect(await rebuild(opened.memory, 'test')).toMatchObject({ decisions: 2, analyses: 1, contextFiles: 2, reports: 0 });
  expect(read(opened, '_index.md')).toContain('| decisions/2026-02-01_001_by-hand.md | 2026-02-01T10:00:00Z | By hand |');
  expect(session(opened)['stats']).toEqual({ decisions: 2, analyses: 1, indexArchived: 0, subagentOutputs: 0 });
});
