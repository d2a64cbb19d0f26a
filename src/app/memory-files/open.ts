import type { Clock } from '../../core/ports/host.ts';
import type { LayerFiles } from '../../core/ports/layer-files.ts';
import { hashProjectPath } from '../../core/project/folder.ts';
import { ownHashFolder } from './context-file.ts';
import type { Hierarchy, LayerName } from './layers.ts';
import type { LayerSource } from './load.ts';
import { fileSettings, type FileSettings, MEMORY_PATH, type MemoryFile, memoryFileOf, type Owner, storeFile } from './memory-file.ts';
import type { Memory } from '../memory/memory.ts';

/** Where a project's layers lie: in the folder named by its hash if that is the project's own, otherwise in the folder of its key. */
export interface LayerFolder {
  readonly folder: string;
  /** Whether the folder is named by the hash; such a folder stays in use. */
  readonly isHashFolder: boolean;
  readonly owner: Owner;
}

export function layerFolder(files: LayerFiles, projectPath: string): LayerFolder {
  const hash = hashProjectPath(projectPath, files.md5);
  const key = files.projectKey(projectPath) ?? hash;
  const owner = { projectKey: key, projectHash: hash, projectPath };
  const byHash = ownHashFolder(files.hashFolder(hash), projectPath);
  if (byHash !== undefined) return { folder: byHash, isHashFolder: true, owner };
  return { folder: files.keyFolder(key), isHashFolder: key === hash, owner };
}

/** The files of a load, weakest first; without a project only the global ones. */
export function layerSources(files: LayerFiles, project?: LayerFolder): readonly LayerSource[] {
  const source = (name: LayerName, folder: string, path: string): LayerSource => {
    const file = files.join(folder, path);
    return { name, file, read: () => files.read(file) };
  };
  return [
    source('global_claude', files.home, 'CLAUDE.md'),
    source('global_memory', files.home, 'MEMORY.md'),
    ...(project ? [source('project_claude', project.folder, 'CLAUDE.md'), source('project_memory', project.folder, MEMORY_PATH)] : []),
  ];
}

export interface OpenFileOptions {
  readonly settings: FileSettings;
  readonly now: Clock;
  readonly owner?: Owner;
}

export interface OpenMemoryFile extends MemoryFile {
  close(): void;
}

/** A MEMORY.md by its path, with a store of its own. */
export function openMemoryFile(files: Pick<LayerFiles, 'openStore'>, path: string, { settings, now, owner }: OpenFileOptions): OpenMemoryFile {
  const { store, place, close } = files.openStore(path, now);
  return { ...storeFile(store, place, { settings, now, ...(owner && { owner }) }), close };
}

/** The memory files of an open project; its MEMORY.md is in the folder named by its hash if there is one, otherwise in its own. */
export function openMemoryFiles(memory: Memory, projectPath: string, files: LayerFiles): Hierarchy & { close(): void } {
  const place = layerFolder(files, projectPath);
  const { folder, isHashFolder, owner } = place;
  const hashFile = isHashFolder
    ? openMemoryFile(files, files.join(folder, MEMORY_PATH), { settings: fileSettings(memory.config), now: memory.now, owner })
    : undefined;
  const file = hashFile ?? memoryFileOf(memory, owner);
  return {
    memory,
    owner,
    sources: layerSources(files, place),
    file,
    unwritable: () => files.whyUnwritable(file.absolute(file.place)),
    close: () => hashFile?.close(),
  };
}
