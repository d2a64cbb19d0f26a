import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { WriteLock } from '../../../src/adapters/files/lock.ts';
import { openDatabase } from '../../../src/adapters/sqlite/binding.ts';
import { scratch } from '../../scratch.ts';

it('who has waited for long asks often, so that those who write again and again do not always come first', async () => {
  const file = path.join(scratch(), 'lock');
  const asked: number[] = [];
  const other = openDatabase(file);
  const open = (name: string) => {
    const database = openDatabase(name);
    return { exec: (sql: string) => (asked.push(Date.now()), database.exec(sql)), close: () => database.close() };
  };
  const lock = new WriteLock(file, open, 5_000);
  onTestFinished(() => [lock, other].forEach((one) => one.close()));
  other.exec('BEGIN EXCLUSIVE');
  const started = Date.now();
  const done = lock.hold(async () => 'mine');
  await new Promise((resolve) => setTimeout(resolve, 2_200));
  other.exec('ROLLBACK');
  expect(await done).toBe('mine');
  const between = (from: number, to: number): number => asked.filter((at) => at - started >= from && at - started < to).length;
  expect(between(1_200, 2_200)).toBeGreaterThan(2 * between(0, 1_000));
});
