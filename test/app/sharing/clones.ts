import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { Memory } from '../../../src/app/memory/memory.ts';
import { moveRecord } from '../../../src/app/write/status.ts';
import { updateRecord } from '../../../src/app/write/update.ts';
import { currentRecord } from '../../../src/app/write/current.ts';
import { openProject } from '../../open.ts';
import type { FileRef } from '../../../src/core/ports/store.ts';
import type { Category } from '../../../src/core/record/category.ts';
import { must, save } from '../memory.ts';

const SETTINGS = ['user.name=Test', 'user.email=test@example.org', 'init.defaultBranch=main', 'commit.gpgSign=false', 'core.autocrlf=false'];

/** Runs the real git, free of the machine's own settings; `0` or what it exited with. */
export function git(where: string, ...words: string[]): { readonly code: number | null; readonly out: string } {
  const { status, stdout, stderr } = spawnSync('git', [...SETTINGS.flatMap((setting) => ['-c', setting]), ...words], {
    cwd: where,
    env: { PATH: process.env['PATH'] ?? '', HOME: where, GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C' },
    encoding: 'utf8',
  });
  return { code: status, out: stdout + stderr };
}

export function commitAll(clone: string, message: string): void {
  git(clone, 'add', '-A');
  const { code, out } = git(clone, 'commit', '--quiet', '--allow-empty', '-m', message);
  if (code !== 0) throw new Error(out);
}

/** The paths that git could not merge, in the shared root. */
export const unmergedPaths = (clone: string): string[] =>
  git(clone, '-c', 'core.quotePath=off', 'diff', '--name-only', '--diff-filter=U')
    .out.split('\n')
    .filter((name) => name !== '')
    .map((name) => name.replace('.claude/memory/', ''));

/** Numbers from 0 to 1 that are the same for every run with one seed. */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export interface Person {
  readonly clone: string;
  readonly home: string;
  readonly memory: Memory;
  readonly clock: { ms: number };
}

/** Somebody with a home and a clone of their own. */
export function person(folder: string, name: string, start: string): Person {
  const [home, clone] = [path.join(folder, `${name}-home`), path.join(folder, name, 'webshop')];
  fs.mkdirSync(clone, { recursive: true });
  const clock = { ms: Date.parse(start) };
  const opened = openProject({ home, cwd: clone, now: () => clock.ms });
  const { memory, close } = must(opened);
  onTestFinished(close);
  return { clone, home, memory, clock };
}

const CATEGORIES: readonly Category[] = ['decision', 'constraint', 'runbook', 'preference', 'tech_debt'];
const TEXT: Partial<Record<Category, string>> = {
  decision: 'decision',
  constraint: 'rule',
  runbook: 'verification',
  preference: 'value',
  tech_debt: 'description',
};

/** One person's change: the files touched, and words that have to survive. */
export interface Done {
  readonly created: Map<string, string>;
  readonly edited: Map<string, string[]>;
  readonly retired: Set<string>;
}

/** Saves, edits and retires at random; every text holds a word of its own. */
export async function workAtRandom({ memory, clock }: Person, who: string, steps: number, chance: () => number): Promise<Done> {
  const done: Done = { created: new Map(), edited: new Map(), retired: new Set() };
  const pick = <T>(list: readonly T[]): T => list[Math.floor(chance() * list.length)] as T;
  for (let step = 0; step < steps; step++) {
    clock.ms += 1_000 + Math.floor(chance() * 600_000);
    const word = `${who}${step}`;
    const places = memory.index.items({ kind: 'record', root: 'shared', status: 'active' }).map(({ root, path: at }): FileRef => ({ root, path: at }));
    const kind = chance();
    if (kind < 0.4 || places.length === 0) {
      const title = chance() < 0.1 ? `Common matter ${Math.floor(chance() * 5)}` : `Matter ${word}`;
      const saved = must(await save(memory, pick(CATEGORIES), { title, tags: [word] }, { root: 'shared' }));
      done.created.set(saved.place.path, word);
    } else if (kind < 0.8) {
      const place = pick(places);
      must(await edit(memory, place, word, chance()));
      done.edited.set(place.path, [...(done.edited.get(place.path) ?? []), word]);
    } else {
      const place = pick(places);
      must(await moveRecord(memory, 'retire', place, { actor: 'test', reason: word }));
      done.retired.add(place.path);
    }
  }
  return done;
}

async function edit(memory: Memory, place: FileRef, word: string, chance: number): ReturnType<typeof updateRecord> {
  const { record } = must(await currentRecord(memory, place));
  const content = record.content as Record<string, unknown>;
  const key = TEXT[record.category] ?? '';
  const change =
    chance < 0.5
      ? { content: { ...content, [key]: `${String(content[key])} ${word}` } }
      : chance < 0.8
        ? { related_files: [...(record.related_files ?? []), `src/${word}.ts`] }
        : { tags: record.tags.length < 12 ? [...record.tags, word] : record.tags };
  const changes = [...(record.changes ?? []), { date: record.updated_at, summary: `said ${word}` }];
  return updateRecord(memory, { place, draft: { ...record, ...change, changes }, actor: 'test' });
}
