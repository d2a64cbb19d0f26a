import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ownText } from '../../adapters/files/outside/own.ts';
import { ownerPath } from '../../app/memory-files/context-file.ts';
import { FILE_BYTES } from '../../core/limits.ts';
import { tidyPath } from '../../core/project/folder.ts';
import { placesIn } from '../../adapters/files/home-layout.ts';

/** The files of such a folder, or of one named by a key, that a session is told of; the first says whose they are. */
const LAYER_FILES = ['memory/context.json', 'memory/MEMORY.md', 'memory', 'CLAUDE.md'] as const;

/** The folder named by a project's hash, where there is one of its own: such a folder is kept up where it stands. */
export function hashFolder(home: string, { hash, path }: { readonly hash: string; readonly path: string }): string | undefined {
  const folder = placesIn(home).privateRoot(hash);
  if (!existsSync(folder)) return undefined;
  const first = LAYER_FILES.map((name) => join(folder, name)).find((file) => existsSync(file));
  // Paths that differ in letter case share a hash: the folder says whose it is.
  const owner = first?.endsWith('.json') === true ? ownerPath(ownText(first, FILE_BYTES.settings)?.text ?? '') : undefined;
  return first !== undefined && tidyPath(owner ?? path) === tidyPath(path) ? folder : undefined;
}
