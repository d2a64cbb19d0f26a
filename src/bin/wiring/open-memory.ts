import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { FileStore } from '../../adapters/files/store.ts';
import { timers } from '../../adapters/process/running.ts';
import { openDatabase } from '../../adapters/sqlite/binding.ts';
import { SqliteIndex } from '../../adapters/sqlite/index.ts';
import { isUnwritable } from '../../adapters/sqlite/open.ts';
import { loadConfig } from '../../app/config/load.ts';
import type { Memory } from '../../app/memory/memory.ts';
import { putOff } from '../../app/views/repair-later.ts';
import type { ConfigFiles } from '../../core/config/effective.ts';
import type { Clock } from '../../core/ports/host.ts';
import type { RootName } from '../../core/ports/store.ts';
import type { Evidence } from '../../core/record/schema.ts';
import { md5 } from './environment.ts';

/** How long others who write are waited for: less where somebody waits for us. */
export interface LockTimeouts {
  readonly indexMs: number;
  readonly lockMs: number;
}

export interface MemoryParts {
  readonly key: string;
  readonly roots: Readonly<Partial<Record<RootName, string>>>;
  readonly state: string;
  /** The home that all of it lies in; absent for a memory on its own. */
  readonly home?: string;
  readonly config: ConfigFiles;
  readonly now: Clock;
  /** The checkout that related files are relative to; absent for the user's own memory. */
  readonly worktree?: string;
  readonly projectPath?: string;
  readonly evidenceOf: (paths: readonly string[]) => readonly Evidence[];
  readonly beforeFirstWrite?: () => Promise<void>;
  /** What shows that there is a memory; its roots unless said otherwise. */
  readonly signs?: readonly string[];
  readonly patience?: LockTimeouts;
  /** Replaces parts: for a program that has them loaded, or leaves them to another process. */
  readonly overrides?: Partial<Pick<Memory, 'itemOf' | 'repairViews'>> | undefined;
}

export interface ComposedMemory {
  readonly memory: Memory;
  /** Does what was put off. */
  settle(): Promise<void>;
  /** Does what was put off, then lets go of the files. */
  close(): Promise<void>;
  /** The same for a process that is about to end: what the operating system lets go of by itself is left to it. */
  leave(): Promise<void>;
}

/** Whether there is anything to index or anywhere to keep an index; a look at an unknown project leaves no trace. */
const leavesTrace = ({ roots, state, signs = Object.values(roots) }: MemoryParts): boolean => existsSync(state) || signs.some((sign) => existsSync(sign));

function openIndex(parts: MemoryParts): SqliteIndex {
  if (!leavesTrace(parts)) return new SqliteIndex(':memory:');
  try {
    return new SqliteIndex(join(parts.state, 'index.db'), parts.patience?.indexMs);
  } catch (cause) {
    // A home that is read-only or full can still be searched; a write will say what is wrong.
    if (isUnwritable(cause)) return new SqliteIndex(':memory:');
    throw cause;
  }
}

/** Puts the real parts of one memory together. */
export function composeMemory(parts: MemoryParts): ComposedMemory {
  const { key, roots, state, now, worktree } = parts;
  const loaded = loadConfig(parts.config);
  const index = openIndex(parts);
  const store = new FileStore({
    roots,
    state,
    now,
    md5,
    openDatabase,
    ...(parts.beforeFirstWrite && { beforeFirstWrite: parts.beforeFirstWrite }),
    ...(parts.patience && { lockMs: parts.patience.lockMs }),
  });
  const pending = putOff(timers, () => memory.repairViews());
  const memory: Memory = {
    key,
    ...(parts.projectPath !== undefined && { projectPath: parts.projectPath }),
    store,
    index,
    config: loaded.config,
    unreadable: loaded.unreadable,
    itemOf: async (file) => (await import('../../app/index/item.ts')).itemOfFile(file),
    repairViews: async () => (await import('../../app/views/repair.ts')).repairViews(memory),
    repairLater: pending.later,
    ...(parts.home !== undefined && { sweep: async () => (await import('./open-sweep.ts')).openSweep(parts.home ?? '') }),
    finishForgetting: async () => (await import('../../app/write/forget.ts')).finishForgetting(memory),
    seenNames: new Map(),
    ...parts.overrides,
    now,
    md5,
    projectFileExists: (file) => worktree !== undefined && existsSync(resolve(worktree, file)),
    evidenceOf: parts.evidenceOf,
    sharedPrefix: '.claude/memory/',
  };
  return {
    memory,
    settle: () => pending.flush(),
    close: async () => {
      await pending.flush();
      store.close();
      index.close();
    },
    leave: async () => {
      await pending.flush();
      if (!index.isClean) index.close();
    },
  };
}
