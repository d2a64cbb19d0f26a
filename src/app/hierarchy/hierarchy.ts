import type { Memory } from '../memory/memory.ts';
import type { LayerSource } from './load.ts';
import type { MemoryFile, Owner } from './memory-file.ts';

/** The memory files of one project, as a command meets them. */
export interface Hierarchy {
  readonly memory: Memory;
  readonly owner: Owner;
  /** Weakest first. */
  readonly sources: readonly LayerSource[];
  /** The project's own MEMORY.md. */
  readonly file: MemoryFile;
  /** Why it cannot be written; undefined when it can. */
  unwritable(): Promise<string | undefined>;
}
