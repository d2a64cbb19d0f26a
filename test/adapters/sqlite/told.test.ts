import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { SqliteInjectionLog } from '../../../src/adapters/sqlite/injections.ts';
import { leavePending, pendingFiles } from '../../../src/adapters/sqlite/pending.ts';
import { shownIn, toldTo } from '../../../src/adapters/sqlite/told.ts';
import { startingLog } from '../../../src/bin/compose/starting-log.ts';
import type { Injection, InjectionEvent } from '../../../src/core/ports/injection-log.ts';
import { scratch } from '../../scratch.ts';

const injection = (event: InjectionEvent, id: string, session = 's1'): Injection => ({
  at: '2026-01-01T00:00:00Z',
  session,
  event,
  tokens: 7,
  items: [{ id, title: id, updatedAt: '2026-01-01T00:00:00Z', score: 0, reasons: ['new'] }],
});

/** A millisecond has one file. */
const leave = async (state: string, said: Injection): Promise<void> => {
  leavePending(state, said);
  await new Promise((resolve) => setTimeout(resolve, 3));
};

test('a start reads what its session was told, taken in or not, as the log would say it, and writes nothing', async () => {
  const state = scratch();
  const file = path.join(state, 'injections.db');
  const noted = new SqliteInjectionLog(file);
  for (const [event, id] of [
    ['startup', 'a'],
    ['prompt', 'b'],
    ['compact', 'c'],
    ['subagent', 'd'],
    ['prompt', 'e'],
  ] as const)
    noted.note(injection(event, id));
  noted.note(injection('prompt', 'other', 's2'));
  noted.close();
  await leave(state, injection('resume', 'f'));
  await leave(state, injection('startup', 'g', 's2'));
  // Taken in by a process that was killed before it could drop the file.
  await leave(state, injection('prompt', 'e'));

  const start = startingLog(new SqliteInjectionLog(file), state, false);
  const before = fs.readFileSync(file);
  const [spent, shown, injections] = [start.spent('s1'), start.shown('s1'), start.injections('s1', 4)];
  expect(toldTo(file, 's1')?.map(({ items }) => items[0]?.id)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  expect([...shown.keys()]).toEqual(['c', 'e', 'f']);
  expect(pendingFiles(state)).toHaveLength(3);
  expect(fs.readFileSync(file).equals(before)).toBe(true);

  const log = new SqliteInjectionLog(file);
  expect([log.spent('s1'), log.shown('s1'), log.injections('s1', 4)]).toEqual([spent, shown, injections]);
  expect(pendingFiles(state)).toHaveLength(0);
  log.close();
  expect(fs.statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0);
});

test('a log that is not there, or waits for much or is damaged, is left to itself', async () => {
  const state = scratch();
  const file = path.join(state, 'injections.db');
  expect(toldTo(file, 's1')).toEqual([]);
  expect(fs.existsSync(file)).toBe(false);
  expect(shownIn([])).toEqual(new Map());
  for (let at = 0; at < 17; at++) await leave(state, injection('prompt', `r${at}`));
  expect(toldTo(file, 's1')).toBeUndefined();
  expect(startingLog(new SqliteInjectionLog(file), state, false).injections('s1', 20)).toHaveLength(17);
  expect(toldTo(file, 's1')).toHaveLength(17);
  fs.writeFileSync(file, 'no database, whatever its name says, and long enough to be taken for one '.repeat(20));
  for (const suffix of ['-wal', '-shm']) fs.rmSync(`${file}${suffix}`, { force: true });
  expect(toldTo(file, 's1')).toBeUndefined();
  expect(startingLog(new SqliteInjectionLog(file), state, false).spent('s1')).toBe(0);
});
