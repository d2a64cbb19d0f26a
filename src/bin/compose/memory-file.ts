import { join } from 'node:path';
import { whyUnwritable } from '../../adapters/files/text-file.ts';
import type { Hierarchy } from '../../app/memory-files/layers.ts';
import { MEMORY_PATH, fileSettings, memoryFileOf } from '../../app/memory-files/memory-file.ts';
import type { Memory } from '../../app/memory/memory.ts';
import { layerFolder, layerSources, memoryFileAt } from './hierarchy.ts';

interface OpenedProject {
  readonly memory: Memory;
  readonly project: { readonly path: string };
}

/** The memory files of an opened project; its MEMORY.md lies in its own folder, or in the one named by its hash where there is one. */
export function openHierarchy({ memory, project }: OpenedProject, home: string): Hierarchy & { close(): void } {
  const place = layerFolder(home, project.path);
  const { folder, adopted, owner } = place;
  const own = adopted ? memoryFileAt(join(folder, MEMORY_PATH), { settings: fileSettings(memory.config), now: memory.now, owner }) : undefined;
  const file = own ?? memoryFileOf(memory, owner);
  return {
    memory,
    owner,
    sources: layerSources(home, place),
    file,
    unwritable: () => whyUnwritable(file.absolute(file.place)),
    close: () => own?.close(),
  };
}
