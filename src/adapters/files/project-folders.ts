import { existsSync, readFileSync, statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import type { Md5 } from '../../core/ports/host.ts';
import { OLD_LAYOUT_MARK, type ProjectFolders } from '../../core/ports/project.ts';
import { configFiles } from './config-files.ts';
import { CONFIG_NAME, placesIn, SHARED_PATH, sharedRootIn } from './home-layout.ts';
import type { LockDatabase } from './lock.ts';
import { isAnswering, requireAnswer } from './outside/mounts.ts';
import { findOutside } from './outside/path.ts';
import { isPlainFolder } from './outside/walk.ts';
import { RegistryFile } from './registry.ts';

export interface ProjectFoldersParts {
  readonly home: string;
  readonly md5: Md5;
  readonly facts: ProjectFolders['facts'];
  readonly openDatabase: (file: string) => LockDatabase;
}

/** The folders of this machine, for one home. */
export function projectFolders({ home, md5, facts, openDatabase }: ProjectFoldersParts): ProjectFolders {
  const places = placesIn(home);
  return {
    registry: new RegistryFile(places.registry, openDatabase),
    md5,
    facts: (folder) => {
      requireAnswer(folder);
      return facts(folder);
    },
    resolve,
    isAbsolute,
    // A folder that does not answer is there: nobody else may claim its project.
    exists: (path) => !isAnswering(path) || existsSync(path),
    isFolder: (path) => isAnswering(path) && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true,
    privateRoot: (key) => places.privateRoot(key),
    sharedRoot: (worktree) => {
      const shared = sharedRootIn(worktree);
      // A clone may carry a link in place of the folder: what is shared lies in the project or nowhere.
      if (!findOutside(worktree, SHARED_PATH).ok || existsSync(join(shared, OLD_LAYOUT_MARK))) return undefined;
      return resolve(worktree, '.claude') === resolve(home) ? undefined : shared;
    },
    memoryFolder: (worktree) => {
      const folder = join(worktree, '_memory');
      return existsSync(folder) && isPlainFolder(worktree, '_memory') ? folder : undefined;
    },
    config: (project) => {
      if (project?.checkout !== undefined) requireAnswer(project.checkout);
      return configFiles({
        user: places.settings,
        ...(project && { project: join(places.privateRoot(project.key), CONFIG_NAME) }),
        ...(project?.checkout !== undefined && { shared: join(sharedRootIn(project.checkout), CONFIG_NAME) }),
      });
    },
    sessionText: readSessionText,
  };
}

/** What a project's `_session.json` says; undefined where there is none. */
function readSessionText(privateRoot: string): string | undefined {
  const file = join(privateRoot, '_session.json');
  // Most projects have none, and being told so by an exception costs more than looking.
  if (!existsSync(file)) return undefined;
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
