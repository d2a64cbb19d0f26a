import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { nextPause, WriteLock } from '../../../src/adapters/files/lock.ts';
import { openDatabase } from '../../../src/adapters/sqlite/binding.ts';
import { PATIENCE } from '../../patience.ts';
import { scratch } from '../../scratch.ts';

it('who has waited for long asks often, so that those who write again and again do not always come first', () => {
  const patient = Array.from({ length: 20 }).reduce<number[]>((pauses) => [...pauses, nextPause(pauses.at(-1) ?? 2, 0.1)], []);
  expect(patient).toEqual(patient.toSorted((a, b) => a - b));
  expect(patient.at(-1)).toBe(40);
  expect(nextPause(40, 0.19)).toBe(40);
  expect([0.2, 0.5, 0.99].map((waited) => nextPause(40, waited))).toEqual([2, 2, 2]);
});

it('asks until the other lets go, and then works', async () => {
  const file = path.join(scratch(), 'lock');
  const other = openDatabase(file);
  let tries = 0;
  const open = (name: string) => {
    const database = openDatabase(name);
    return { exec: (sql: string) => (tries++, database.exec(sql)), close: () => database.close() };
  };
  const lock = new WriteLock(file, open, PATIENCE.timeout);
  onTestFinished(() => [lock, other].forEach((one) => one.close()));
  other.exec('BEGIN EXCLUSIVE');
  const done = lock.hold(async () => 'mine');
  await vi.waitFor(() => expect(tries).toBeGreaterThan(3), PATIENCE);
  other.exec('ROLLBACK');
  expect(await done).toBe('mine');
});
