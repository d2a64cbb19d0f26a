import { expect, test } from 'vitest';
import { answersPrompts, START_MISSED } from '../../../src/app/runtime/deferred-start.ts';
import { endSession, isStartDeferred, type SessionEdge } from '../../../src/app/runtime/session-edges.ts';
import { BackgroundQueue } from '../../../src/app/runtime/background-queue.ts';
import { SessionOwner } from '../../../src/app/runtime/session-owner.ts';
import type { BackgroundWork } from '../../../src/core/ports/machine.ts';
import type { HookRun } from '../../../src/core/ports/hook-log.ts';
import type { SessionNote, SessionStates } from '../../../src/core/ports/session-states.ts';

const SELF = { pid: 7, began: '70' };
const CLIENT = 'claude-code';
const SOON = 60_000;

function notesInMemory(): SessionStates {
  const notes = new Map<string, SessionNote>();
  return {
    read: (session) => notes.get(session) ?? {},
    change: (session, part) => void notes.set(session, { ...notes.get(session), ...part }),
  };
}

function host({ seen = [] as readonly HookRun[], living = [SELF.pid], now = 10 * SOON } = {}) {
  const [started, marks]: [BackgroundWork[], string[]] = [[], []];
  const notes = notesInMemory();
  const machine: SessionEdge['machine'] = {
    now: () => now,
    hookLog: {
      recordRun: (_client, event) => void marks.push(event),
      recordFailure: () => {},
      lastRuns: () => seen,
      failures: () => [],
      clientsOf: () => ({ record: () => {}, all: () => [] }),
    },
    processes: { self: SELF, parent: SELF, isRunning: ({ pid }) => living.includes(pid) },
    isFile: (path) => path !== '/none',
    startBackground: (request) => void started.push(request),
  };
  const edge: SessionEdge = { machine, client: CLIENT, cwd: '/shop', notes };
  return { edge, notes, started, marks };
}

const saw = (event: string, at: number): HookRun => ({ client: CLIENT, event, at });

test.each([
  ['no prompt was ever answered', [], false],
  ['a prompt was answered', [saw('UserPromptSubmit', 5 * SOON)], true],
  ['another client prompts', [{ ...saw('UserPromptSubmit', 5 * SOON), client: 'codex' }], false],
  ['a start was missed since', [saw('UserPromptSubmit', 5 * SOON), saw(START_MISSED, 6 * SOON)], false],
  ['a prompt was answered after a missed start', [saw('UserPromptSubmit', 7 * SOON), saw(START_MISSED, 6 * SOON)], true],
  ['the last start waits for its prompt', [saw('UserPromptSubmit', 5 * SOON), saw('SessionStart', 9 * SOON)], true],
  ['the last start has waited for long', [saw('UserPromptSubmit', SOON), saw('SessionStart', 2 * SOON)], false],
])('whether a start may wait for a prompt: %s', (_name, seen, expected) => {
  expect(answersPrompts(seen, CLIENT, 10 * SOON)).toBe(expected);
  const { edge, notes } = host({ seen });
  expect(isStartDeferred({ event: 'SessionStart', session: 's', source: 'clear' }, edge)).toBe(expected);
  expect(notes.read('s').start).toEqual(expected ? { source: 'clear', at: 10 * SOON } : undefined);
});

test('a server claims its session, finishes it once, and releases it', () => {
  const { edge, notes, started } = host();
  const owner = new SessionOwner(edge.machine, new BackgroundQueue(edge.machine));
  expect(owner.claimSession({ event: 'UserPromptSubmit', session: 's', transcript: '/t' }, '/shop', notes)).toBe(true);
  expect(owner.claimSession({ event: 'Stop', session: 's' }, '/shop', notes)).toBe(false);
  expect(notes.read('s').server).toEqual(SELF);
  // While it runs, the hook at the end leaves the session to it.
  endSession({ event: 'SessionEnd', session: 's', transcript: '/t' }, edge);
  expect(started).toEqual([]);
  owner.releaseSession();
  expect(started).toEqual([{ cwd: '/shop', session: 's', transcript: '/t' }]);
  expect(notes.read('s').server).toEqual({ ...SELF, released: true });
  endSession({ event: 'SessionEnd', session: 's', transcript: '/t' }, edge);
  expect(started).toHaveLength(1);
});

test('a session whose transcript is written after its server has ended is finished by the hook', () => {
  const { edge, notes, started } = host();
  const written = new Set<string>();
  const machine = { ...edge.machine, isFile: (path: string) => written.has(path) };
  const owner = new SessionOwner(machine, new BackgroundQueue(machine));
  owner.claimSession({ event: 'UserPromptSubmit', session: 's', transcript: '/t' }, '/shop', notes);
  owner.releaseSession();
  expect(started).toEqual([]);
  written.add('/t');
  endSession({ event: 'SessionEnd', session: 's', transcript: '/t' }, { ...edge, machine });
  expect(started).toEqual([{ cwd: '/shop', session: 's', transcript: '/t' }]);
});

test('requests that come while a process works wait for it, each once', () => {
  const ends: (() => void)[] = [];
  const started: BackgroundWork[] = [];
  const start = (request: BackgroundWork, ended: () => void = () => {}): void => {
    started.push(request);
    ends.push(ended);
  };
  const queue = new BackgroundQueue({ startBackground: start });
  for (const session of ['a', 'b', 'b', 'c']) queue.add({ cwd: '/shop', session });
  expect(started.map(({ session }) => session)).toEqual(['a']);
  ends.shift()?.();
  ends.shift()?.();
  expect(started.map(({ session }) => session)).toEqual(['a', 'b', 'c']);
});

test('a session whose server was killed is finished by the hook; one without a transcript by nobody', () => {
  const { edge, notes, started, marks } = host({ living: [] });
  notes.change('s', { server: SELF, start: { source: 'startup', at: 1 } });
  endSession({ event: 'SessionEnd', session: 's', transcript: '/none' }, edge);
  expect(started).toEqual([]);
  endSession({ event: 'SessionEnd', session: 's', transcript: '/t' }, edge);
  expect(started).toEqual([{ cwd: '/shop', session: 's', transcript: '/t' }]);
  expect(marks).toEqual([START_MISSED, START_MISSED]);
});

test('after a compaction the hook answers only where no server runs', () => {
  const compacted = { event: 'SessionStart', session: 's', source: 'compact' } as const;
  const [alive, killed] = [host(), host({ living: [] })];
  for (const { notes } of [alive, killed]) notes.change('s', { server: SELF });
  expect([isStartDeferred(compacted, alive.edge), isStartDeferred(compacted, killed.edge)]).toEqual([true, false]);
});
