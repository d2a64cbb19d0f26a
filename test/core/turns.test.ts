import { expect, it } from 'vitest';
import { TaskQueue } from '../../src/core/task-queue.ts';

const soon = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

it('does one piece of work after the other, whatever becomes of each', async () => {
  const [turns, done]: [TaskQueue, string[]] = [new TaskQueue(), []];
  const first = turns.run(async () => {
    await soon(20);
    done.push('first');
    throw new Error('no');
  });
  const second = turns.run(async () => void done.push('second'));
  await expect(first).rejects.toThrow('no');
  await second;
  expect(done).toEqual(['first', 'second']);
});

it('lets others have their turn while one waits aside, and never two at once', async () => {
  const [turns, done]: [TaskQueue, string[]] = [new TaskQueue(), []];
  let atWork = 0;
  const work = async (name: string): Promise<void> => {
    expect(++atWork).toBe(1);
    await soon(5);
    done.push(name);
    atWork--;
  };
  const waiting = turns.run(async () => {
    await work('before');
    await turns.aside(() => soon(12));
    await work('after');
  });
  const others = ['one', 'two', 'three', 'four'].map((name) => turns.run(() => work(name)));
  await Promise.all([waiting, ...others]);
  expect(done[0]).toBe('before');
  expect(done.filter((name) => name.length > 2 && !['before', 'after'].includes(name))).toEqual(['one', 'two', 'three', 'four']);
  expect(done.indexOf('after')).toBeGreaterThan(done.indexOf('one'));
});
