import { join } from 'node:path';
import { MEMORY_PATH, fileSettings, type MemoryFile, memoryFileOf } from '../../app/hierarchy/memory-file.ts';
import { layerFolder, memoryFileAt } from './hierarchy.ts';
import type { ProjectMemory } from './project.ts';

/** The MEMORY.md of an opened project: in its own folder, or in the one named by its hash where there is one. */
export async function projectMemoryFile<T>({ memory, project }: ProjectMemory, home: string, work: (file: MemoryFile) => Promise<T>): Promise<T> {
  const { folder, adopted, owner } = layerFolder(home, project.path);
  if (!adopted) return work(memoryFileOf(memory, owner));
  const file = memoryFileAt(join(folder, MEMORY_PATH), { settings: fileSettings(memory.config), now: memory.now, owner });
  try {
    return await work(file);
  } finally {
    file.close();
  }
}
