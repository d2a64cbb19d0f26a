import fs from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { Memory } from '../../src/app/memory/memory.ts';
import { createRecord, type CreateRequest } from '../../src/app/write/create.ts';
import type { Written } from '../../src/app/write/written.ts';
import { openProject } from '../open.ts';
import type { Category } from '../../src/core/record/category.ts';
import type { Result } from '../../src/core/result.ts';
import { sample } from '../core/sample.ts';
import { scratch } from '../scratch.ts';

export interface Opened {
  readonly memory: Memory;
  readonly home: string;
  readonly project: string;
  readonly root: string;
  /** Moves the clock. */
  at(instant: string): void;
  /** A second process, as it were: everything opened anew. */
  reopen(): Promise<Opened>;
}

const START = '2026-03-01T12:00:00Z';

/** A real project memory on real files, with a clock of its own. */
export function openMemory(config?: object, folder = scratch(), now = { ms: Date.parse(START) }): Opened {
  const [home, project] = [path.join(folder, 'home'), path.join(folder, 'project')];
  const root = path.join(home, 'projects', 'project');
  fs.mkdirSync(project, { recursive: true });
  if (config) {
    fs.mkdirSync(root, { recursive: true });
    fs.writeFileSync(path.join(root, 'memory-config.json'), JSON.stringify(config));
  }
  const opened = openProject({ home, cwd: project, now: () => now.ms });
  if (!opened.ok) throw new Error(opened.error.message);
  let open = true;
  const close = async (): Promise<void> => {
    if (open) await opened.value.close();
    open = false;
  };
  onTestFinished(close);
  return {
    memory: opened.value.memory,
    home,
    project,
    root,
    at: (instant) => {
      now.ms = Date.parse(instant);
    },
    reopen: async () => {
      await close();
      return openMemory(undefined, folder, now);
    },
  };
}

/** Saves a sample record of a category. */
export function save(memory: Memory, category: Category, more: object = {}, request: Partial<CreateRequest> = {}): Promise<Result<Written>> {
  const { id: _id, created_at: _created, updated_at: _updated, changes: _changes, ...draft } = sample(category, more) as unknown as Record<string, unknown>;
  return createRecord(memory, { category, draft, root: 'private', actor: 'command', ...request });
}

export function must<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`);
  return result.value;
}
