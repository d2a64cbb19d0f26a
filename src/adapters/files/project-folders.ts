import type { Md5 } from '../../core/ports/host.ts';
import { OLD_LAYOUT_MARK, type ProjectFolders } from '../../core/ports/project.ts';
import { parseRegistry, serializeRegistry, type Registry } from '../../core/project/registry.ts';
import { configFiles } from './config-files.ts';
import { ioFailure, replaceFile } from './durable.ts';
import { CONFIG_NAME, placesIn, SHARED_PATH, sharedRootIn } from './home-layout.ts';
import { type LockDatabase, WriteLock } from './lock.ts';
import { isAnswering, requireAnswer } from './outside/mounts.ts';
import { findOutside } from './outside/path.ts';
import { isPlainFolder } from './outside/walk.ts';
import { existsSync, readFileSync, statSync, copyFileSync } from 'node:fs';
import { isAbsolute, join, resolve, dirname } from 'node:path';

/** The list of projects known on this machine. */
class RegistryFile {
  readonly #file: string;
  readonly #openDatabase: (file: string) => LockDatabase;

  constructor(file: string, openDatabase: (file: string) => LockDatabase) {
    this.#file = file;
    this.#openDatabase = openDatabase;
  }

  read(): Registry {
    return parseRegistry(this.#text()).registry;
  }

  /** Changes the list with the lock held, so that two projects opened at once are both listed. */
  async update(change: (registry: Registry) => Registry): Promise<void> {
    const lock = new WriteLock(`${this.#file}.lock`, this.#openDatabase);
    try {
      await lock.hold(async () => {
        const { registry, problems } = parseRegistry(this.#text());
        if (problems.length > 0) copyFileSync(this.#file, `${this.#file}.damaged`);
        replaceFile(this.#file, serializeRegistry(change(registry)), join(dirname(this.#file), '.registry.tmp'), true);
      });
    } finally {
      lock.close();
    }
  }

  #text(): string | undefined {
    try {
      return readFileSync(this.#file, 'utf8');
    } catch (cause) {
      if (['ENOENT', 'ENOTDIR'].includes((cause as NodeJS.ErrnoException).code ?? '')) return undefined;
      throw ioFailure(cause, `cannot read ${this.#file}`);
    }
  }
}

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
    // A folder that does not answer counts as existing, so that no other folder claims its project.
    exists: (path) => !isAnswering(path) || existsSync(path),
    isFolder: (path) => isAnswering(path) && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true,
    privateRoot: (key) => places.privateRoot(key),
    sharedRoot: (worktree) => {
      const shared = sharedRootIn(worktree);
      // A clone may carry a link in place of the folder; a shared memory outside the project is not used.
      const folder = findOutside(worktree, SHARED_PATH);
      if (!folder.ok || folder.value.stats?.isDirectory() === false || existsSync(join(shared, OLD_LAYOUT_MARK))) return undefined;
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

/** The text of a project's `_session.json`; undefined if there is none. */
function readSessionText(privateRoot: string): string | undefined {
  const file = join(privateRoot, '_session.json');
  // Most projects have none, and an exception costs more than a check.
  if (!existsSync(file)) return undefined;
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
