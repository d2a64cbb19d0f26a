import { existsSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { FILE_BYTES } from '../../core/limits.ts';
import type { HashFolder, LayerFiles } from '../../core/ports/layer-files.ts';
import { placesIn } from './home-layout.ts';
import { ownText } from './outside/own.ts';
import { FileStore, type FileStoreOptions } from './store.ts';
import { readTextFile, whyUnwritable } from './regular-file.ts';

/** Memory files that a hash folder may hold. `context.json`, the first, names the project that they belong to. */
const LAYER_FILES = ['memory/context.json', 'memory/MEMORY.md', 'memory', 'CLAUDE.md'] as const;

/** The folder named by a project's hash, if there is one with memory files. */
export function findHashFolder(home: string, hash: string): HashFolder | undefined {
  const folder = placesIn(home).privateRoot(hash);
  if (!existsSync(folder)) return undefined;
  const file = LAYER_FILES.find((name) => existsSync(join(folder, name)));
  if (file === undefined) return undefined;
  return file.endsWith('.json') ? { folder, context: ownText(join(folder, file), FILE_BYTES.settings)?.text ?? '' } : { folder };
}

export interface LayerFilesRequest extends Pick<FileStoreOptions, 'openDatabase'> {
  readonly md5: (text: string | Buffer) => string;
  readonly home: string;
  /** The key of the project at an absolute path. */
  readonly projectKey: (path: string) => string | undefined;
}

export const layerFilesIn = ({ home, md5, openDatabase, projectKey }: LayerFilesRequest): LayerFiles => ({
  home,
  md5,
  hashFolder: (hash) => findHashFolder(home, hash),
  keyFolder: (key) => placesIn(home).privateRoot(key),
  // A path from another system is not absolute here, so no repository can be looked up.
  projectKey: (path) => (isAbsolute(path) ? projectKey(path) : undefined),
  join,
  read: readTextFile,
  whyUnwritable,
  openStore: (file, now) => {
    const folder = dirname(file);
    const nested = basename(folder) === 'memory';
    const root = nested ? dirname(folder) : folder;
    const underProjects = nested && basename(dirname(root)) === 'projects';
    const state = underProjects ? placesIn(dirname(dirname(root))).state(basename(root)) : join(folder, '.holdfast');
    const store = new FileStore({ roots: { private: root }, state, now, md5, openDatabase });
    return { store, place: { root: 'private', path: nested ? `memory/${basename(file)}` : basename(file) }, close: () => store.close() };
  },
});
