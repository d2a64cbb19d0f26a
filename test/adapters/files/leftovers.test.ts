import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { StagedLeftovers } from '../../../src/adapters/files/leftovers.ts';
import { clearLeftovers } from '../../../src/app/drafting/service.ts';
import type { Memory } from '../../../src/app/memory/memory.ts';
import { effectiveConfig } from '../../../src/core/config/effective.ts';
import { scratch } from '../../scratch.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 5, 30);

const memoryOf = (keepDays?: number): Memory =>
  ({ config: effectiveConfig(keepDays === undefined ? {} : { user: { staging: { keepDays } } }), now: () => NOW }) as unknown as Memory;

/** A file as it was left so many days ago; a folder made for it looks as old. */
function left(folder: string, name: string, days: number): string {
  const file = path.join(folder, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, 'x'.repeat(10));
  const at = new Date(NOW - days * DAY);
  for (const one of [file, path.dirname(file)]) fs.utimesSync(one, at, at);
  return file;
}

describe('what was staged and never saved', () => {
  it('is cleared by session once nobody has written to it for the days that are kept', async () => {
    const folder = scratch();
    left(folder, 'old/.memory-draft-decision-1.json', 30);
    left(folder, 'young/.memory-draft-decision-1.json', 3);
    left(folder, 'mixed/.memory-triage-context-decision.txt', 30);
    left(folder, 'mixed/.memory-draft-decision-1.json', 2);
    const leftovers = new StagedLeftovers(folder, true);
    const seen = await clearLeftovers(memoryOf(), leftovers, true);
    expect(seen).toMatchObject({ keepDays: 14, staged: [{ path: path.join(folder, 'old'), files: 1, bytes: 10, touched: NOW - 30 * DAY }] });
    expect(fs.readdirSync(folder).toSorted()).toEqual(['mixed', 'old', 'young']);
    expect((await clearLeftovers(memoryOf(), leftovers, false)).staged).toEqual(seen.staged);
    expect(fs.readdirSync(folder).toSorted()).toEqual(['mixed', 'young']);
    expect((await clearLeftovers(memoryOf(), leftovers, false)).staged).toEqual([]);
  });

  it('stays for ever where 0 days are set, and a day where 1 is', async () => {
    const folder = scratch();
    left(folder, 'a/.memory-draft-decision-1.json', 400);
    left(folder, 'b/.memory-draft-decision-1.json', 2);
    expect((await clearLeftovers(memoryOf(0), new StagedLeftovers(folder, true), false)).staged).toEqual([]);
    expect((await clearLeftovers(memoryOf(1), new StagedLeftovers(folder, true), false)).staged).toHaveLength(2);
  });

  it('goes in a folder of others only under our names, and links are left alone', async () => {
    const [folder, elsewhere] = [scratch(), scratch()];
    const ours = left(folder, '.memory-draft-decision-1.json', 30);
    left(folder, 'letter.txt', 30);
    left(folder, 'folder/.memory-draft-decision-2.json', 30);
    const foreignFile = left(elsewhere, 'kept.txt', 30);
    fs.symlinkSync(elsewhere, path.join(folder, '.memory-draft-link'));
    expect((await clearLeftovers(memoryOf(), new StagedLeftovers(folder, false), false)).staged.map((one) => one.path)).toEqual([ours]);
    fs.symlinkSync(elsewhere, path.join(folder, 'folder', 'link'));
    const at = new Date(NOW - 30 * DAY);
    fs.utimesSync(path.join(folder, 'folder'), at, at);
    fs.lutimesSync(path.join(folder, 'folder', 'link'), at, at);
    await clearLeftovers(memoryOf(), new StagedLeftovers(folder, true), false);
    expect(fs.existsSync(path.join(folder, 'folder'))).toBe(false);
    expect(fs.readFileSync(foreignFile, 'utf8')).toBe('x'.repeat(10));
  });

  it('is nothing where there is no such folder', async () => {
    expect((await clearLeftovers(memoryOf(), new StagedLeftovers(path.join(scratch(), 'none'), true), false)).staged).toEqual([]);
  });
});
