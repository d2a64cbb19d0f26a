import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { FileStore } from '../../adapters/files/store.ts';
import { openDatabase } from '../../adapters/sqlite/binding.ts';
import { SqliteIndex } from '../../adapters/sqlite/index.ts';
import { loadConfig } from '../../app/config/load.ts';
import type { Memory } from '../../app/memory/memory.ts';
import type { ConfigFiles } from '../../core/config/ports.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { RootName } from '../../core/ports/store.ts';
import type { Evidence } from '../../core/record/schema.ts';

export interface MemoryParts {
  readonly key: string;
  readonly roots: Readonly<Partial<Record<RootName, string>>>;
  readonly state: string;
  readonly config: ConfigFiles;
  readonly now: Clock;
  /** The checkout that related files are relative to; absent for the user's own memory. */
  readonly worktree?: string;
  readonly evidenceOf: (paths: readonly string[]) => readonly Evidence[];
  readonly beforeFirstWrite?: () => Promise<void>;
}

export interface ComposedMemory {
  readonly memory: Memory;
  close(): void;
}

export const md5 = (text: string | Buffer): string => createHash('md5').update(text).digest('hex');

/** Whether there is anything to index or anywhere to keep an index; a look at an unknown project leaves no trace. */
const leavesTrace = ({ roots, state }: MemoryParts): boolean => fs.existsSync(state) || Object.values(roots).some((folder) => fs.existsSync(folder));

function openIndex(parts: MemoryParts): SqliteIndex {
  if (!leavesTrace(parts)) return new SqliteIndex(':memory:');
  try {
    return new SqliteIndex(path.join(parts.state, 'index.db'));
  } catch (cause) {
    // A read-only home can still be searched; a write will say what is wrong.
    if (/readonly|EROFS|EACCES|EPERM/.test(String(cause))) return new SqliteIndex(':memory:');
    throw cause;
  }
}

/** Puts the real parts of one memory together. */
export function composeMemory(parts: MemoryParts): ComposedMemory {
  const { key, roots, state, now, worktree } = parts;
  const loaded = loadConfig(parts.config);
  const index = openIndex(parts);
  const store = new FileStore({ roots, state, now, md5, openDatabase, ...(parts.beforeFirstWrite && { beforeFirstWrite: parts.beforeFirstWrite }) });
  return {
    memory: {
      key,
      store,
      index,
      config: loaded.config,
      configWarnings: () => loaded.warnings(),
      now,
      md5,
      projectFileExists: (file) => worktree !== undefined && fs.existsSync(path.resolve(worktree, file)),
      evidenceOf: parts.evidenceOf,
      sharedPrefix: '.claude/memory/',
    },
    close: () => {
      store.close();
      index.close();
    },
  };
}
