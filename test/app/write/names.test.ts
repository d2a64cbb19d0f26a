import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Memory } from '../../../src/app/memory/memory.ts';
import type { Store } from '../../../src/core/ports/store.ts';
import { must, openMemory, save } from '../memory.ts';
import { scratch } from '../../scratch.ts';

/** The same memory, with a note of every folder that is listed. */
function watched(memory: Memory): { readonly memory: Memory; readonly listed: string[] } {
  const listed: string[] = [];
  const store = new Proxy(memory.store, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key, target);
      if (key !== 'list') return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      return (...args: Parameters<Store['list']>) => {
        listed.push(args[1]);
        return target.list(...args);
      };
    },
  });
  return { memory: { ...memory, store }, listed };
}

const nameOf = async (memory: Memory, title: string): Promise<string> => must(await save(memory, 'decision', { title })).place.path;

describe('names in a burst of writes', () => {
  it('are known without listing the folder for each', async () => {
    const { memory, listed } = watched(openMemory().memory);
    const names: string[] = [];
    for (let n = 0; n < 20; n++) names.push(await nameOf(memory, `Choice ${n}`));
    expect(names.at(-1)).toBe('decisions/2026-03-01_020_choice-19.md');
    expect(listed).toEqual(['decisions']);
  });

  it('follow what other processes write, create and remove', async () => {
    const folder = scratch();
    const [one, two] = [openMemory(undefined, folder), openMemory(undefined, folder)];
    expect(await nameOf(one.memory, 'First')).toBe('decisions/2026-03-01_001_first.md');
    expect(await nameOf(two.memory, 'Second')).toBe('decisions/2026-03-01_002_second.md');
    expect(await nameOf(one.memory, 'Third')).toBe('decisions/2026-03-01_003_third.md');
    await two.memory.store.write('test', (session) => session.apply({ root: 'private', path: 'decisions/2026-03-01_003_third.md', op: 'purge' }));
    expect(await nameOf(one.memory, 'Fourth')).toBe('decisions/2026-03-01_003_fourth.md');
  });

  it('never take the place of what a hand added a moment ago, and see the rest of it a little later', async () => {
    const { memory, root, at } = openMemory();
    await nameOf(memory, 'First');
    must(await save(memory, 'runbook', { title: 'Restart it' }));
    fs.writeFileSync(path.join(root, 'runbooks', 'empty-it.md'), 'by hand');
    fs.writeFileSync(path.join(root, 'decisions', '2026-03-01_007_by-hand.md'), 'by hand');
    expect(must(await save(memory, 'runbook', { title: 'Empty it' })).place.path).toBe('runbooks/empty-it-2.md');
    expect(fs.readFileSync(path.join(root, 'runbooks', 'empty-it.md'), 'utf8')).toBe('by hand');
    at('2026-03-01T12:00:01Z');
    expect(await nameOf(memory, 'Second')).toBe('decisions/2026-03-01_008_second.md');
    fs.writeFileSync(path.join(root, 'runbooks', 'Wipe-It.md'), 'by hand');
    at('2026-03-01T12:00:02Z');
    expect(must(await save(memory, 'runbook', { title: 'Wipe it' })).place.path).toBe('runbooks/wipe-it-2.md');
  });

  it('are free again when a summary was removed by hand', async () => {
    const { memory, root } = openMemory();
    const { place } = must(await save(memory, 'session_summary', { title: 'Day one' }, { sessionId: 'one' }));
    fs.rmSync(path.join(root, place.path));
    expect(must(await save(memory, 'session_summary', { title: 'Day one again' }, { sessionId: 'one' })).place.path).toBe('sessions/one.md');
  });
});
