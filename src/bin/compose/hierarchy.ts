import { basename, dirname, isAbsolute, join } from 'node:path';
import { FileStore } from '../../adapters/files/store.ts';
import { readTextFile } from '../../adapters/files/text-file.ts';
import { openDatabase } from '../../adapters/sqlite/binding.ts';
import type { LayerName } from '../../app/memory-files/layers.ts';
import type { LayerSource } from '../../app/memory-files/load.ts';
import { MEMORY_PATH, storeFile, type FileSettings, type MemoryFile, type Owner } from '../../app/memory-files/memory-file.ts';
import type { Clock } from '../../core/ports/host.ts';
import { hashProjectPath } from '../../core/project/folder.ts';
import { hashFolder } from './hash-folder.ts';
import { md5 } from '../wiring/environment.ts';
import { placesIn } from '../../adapters/files/home-layout.ts';
import { locateProject } from '../wiring/locate.ts';

export const hashOf = (projectPath: string): string => hashProjectPath(projectPath, md5);

/** Where a project's layers lie: in a folder named by its hash where there is one of its own, in the folder of its key otherwise. */
export interface LayerFolder {
  readonly folder: string;
  /** Named by the hash: such a folder is kept up where it stands. */
  readonly adopted: boolean;
  readonly owner: Owner;
}

export function layerFolder(home: string, projectPath: string): LayerFolder {
  const hash = hashOf(projectPath);
  // A path of another machine has a hash, but no repository to know it by.
  const located = isAbsolute(projectPath) ? locateProject({ home, cwd: projectPath, now: Date.now }) : undefined;
  const key = located?.ok ? located.value.project.key : hash;
  const owner = { projectKey: key, projectHash: hash, projectPath };
  const byHash = hashFolder(home, { hash, path: projectPath });
  if (byHash !== undefined) return { folder: byHash, adopted: true, owner };
  return { folder: placesIn(home).privateRoot(key), adopted: key === hash, owner };
}

const source = (name: LayerName, file: string): LayerSource => ({ name, file, read: () => readTextFile(file) });

/** The files of a load, weakest first; without a project only the global ones. */
export const layerSources = (home: string, project?: LayerFolder): readonly LayerSource[] => [
  source('global_claude', join(home, 'CLAUDE.md')),
  source('global_memory', join(home, 'MEMORY.md')),
  ...(project ? [source('project_claude', join(project.folder, 'CLAUDE.md')), source('project_memory', join(project.folder, ...MEMORY_PATH.split('/')))] : []),
];

export interface FileAt {
  readonly settings: FileSettings;
  readonly now: Clock;
  readonly owner?: Owner;
}

/** A MEMORY.md by its path, with a store of its own: under `projects/` its journal lies with the others, elsewhere beside it. */
export function memoryFileAt(path: string, { settings, now, owner }: FileAt): MemoryFile & { close(): void } {
  const folder = dirname(path);
  const nested = basename(folder) === 'memory';
  const root = nested ? dirname(folder) : folder;
  const underProjects = nested && basename(dirname(root)) === 'projects';
  const state = underProjects ? placesIn(dirname(dirname(root))).state(basename(root)) : join(folder, '.holdfast');
  const store = new FileStore({ roots: { private: root }, state, now, md5, openDatabase });
  const place = { root: 'private', path: nested ? `memory/${basename(path)}` : basename(path) } as const;
  return { ...storeFile(store, place, { settings, now, ...(owner && { owner }) }), close: () => store.close() };
}
