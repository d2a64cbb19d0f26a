import { utcSeconds } from '../../core/instant.ts';
import type { Checkout, Machine } from '../../core/ports/machine.ts';
import type { RootName } from '../../core/ports/store.ts';
import type { LoadedConfig } from '../config/load.ts';
import { debounce } from '../views/repair-later.ts';
import type { Memory } from './memory.ts';

/** How long to wait for other writers: less in a hook, whose client waits. */
export interface LockTimeouts {
  readonly indexMs: number;
  readonly lockMs: number;
}

export interface Opening {
  readonly lockTimeouts?: LockTimeouts | undefined;
  /** Replaces parts that a program has loaded already or leaves to another process. */
  readonly overrides?: Partial<Pick<Memory, 'itemOf' | 'repairViews'>> | undefined;
}

export interface MemoryParts extends Opening {
  readonly key: string;
  readonly roots: Readonly<Partial<Record<RootName, string>>>;
  readonly state: string;
  readonly loaded: LoadedConfig;
  /** The checkout that related files are relative to; absent for the user's own memory. */
  readonly checkout?: Checkout;
  readonly projectPath?: string;
  readonly beforeFirstWrite?: () => Promise<void>;
  /** Folders that show that there is a memory; its roots by default. */
  readonly existsIf?: readonly string[];
}

export interface ComposedMemory {
  readonly memory: Memory;
  /** Repairs the views now if that was postponed. */
  flushRepairs(): Promise<void>;
  /** Repairs the views if that was postponed, then closes the files. */
  close(): Promise<void>;
  /** The same for a process that is about to end: the operating system closes the rest. */
  closeFast(): Promise<void>;
}

type MemoryMachine = Pick<Machine, 'now' | 'md5' | 'timers' | 'openStore' | 'openIndex'> & Partial<Pick<Machine, 'sweep' | 'injectionFiles'>>;

/** Puts the parts of one memory together. */
export function composeMemory(machine: MemoryMachine, parts: MemoryParts): ComposedMemory {
  const { key, roots, state, checkout, lockTimeouts, loaded } = parts;
  const { now, md5, sweep } = machine;
  const index = machine.openIndex({ state, existsIf: parts.existsIf ?? Object.values(roots), ...(lockTimeouts && { busyMs: lockTimeouts.indexMs }) });
  const store = machine.openStore({
    roots,
    state,
    ...(parts.beforeFirstWrite && { beforeFirstWrite: parts.beforeFirstWrite }),
    ...(lockTimeouts && { lockMs: lockTimeouts.lockMs }),
  });
  const pending = debounce(machine.timers, () => memory.repairViews());
  const memory: Memory = {
    key,
    ...(parts.projectPath !== undefined && { projectPath: parts.projectPath }),
    store,
    index,
    config: loaded.config,
    unreadable: loaded.unreadable,
    itemOf: async (file) => (await import('../index/item.ts')).itemOfFile(file),
    repairViews: async () => (await import('../views/repair.ts')).repairViews(memory),
    repairLater: pending.schedule,
    ...(sweep && { sweep }),
    finishForgetting: async () => (await import('../write/forget.ts')).finishForgetting(memory),
    usedRecords: async (names) => (await machine.injectionFiles?.())?.usedRecordsIn(state, names) ?? new Set(),
    muteRules: async (ids) => (await machine.injectionFiles?.())?.muteRulesIn(state, ids, utcSeconds(now())),
    seenNames: new Map(),
    ...parts.overrides,
    now,
    md5,
    projectFileExists: (file) => checkout?.exists(file) === true,
    evidenceOf: (paths) => checkout?.evidenceOf(paths) ?? [],
    sharedPrefix: '.claude/memory/',
  };
  return {
    memory,
    flushRepairs: () => pending.flush(),
    close: async () => {
      await pending.flush();
      store.close();
      index.close();
    },
    closeFast: async () => {
      await pending.flush();
      if (!index.isClean) index.close();
    },
  };
}
