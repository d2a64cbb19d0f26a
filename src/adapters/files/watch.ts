import { existsSync, watch, type FSWatcher, statSync } from 'node:fs';
import { requireAnswer } from './outside/mounts.ts';

/** Reports that something in some folders may have changed. This is only a hint: a system that cannot watch reports nothing. */
export class FolderWatch {
  readonly #changed: (name: string) => void;
  readonly #watchers = new Map<string, FSWatcher>();

  /** `changed` gets the name of the changed file, or an empty text if the system does not report it. */
  constructor(changed: (name: string) => void) {
    this.#changed = changed;
  }

  /** Watches those folders that exist and are not watched yet. */
  follow(folders: readonly string[]): void {
    for (const folder of folders.filter((path) => !this.#watchers.has(path) && existsSync(path))) {
      try {
        const watcher = watch(folder, { persistent: false }, (_event, name) => this.#changed(name ?? ''));
        this.#watchers.set(folder, watcher);
        watcher.on('error', () => this.#drop(folder, watcher));
      } catch {
        return;
      }
    }
  }

  close(): void {
    for (const [folder, watcher] of this.#watchers) this.#drop(folder, watcher);
  }

  #drop(folder: string, watcher: FSWatcher): void {
    this.#watchers.delete(folder);
    watcher.close();
  }
}

/** Changes when one of the files is written, or one of the folders comes or goes. */
export function fingerprintOf(files: readonly (string | undefined)[], folders: readonly string[]): string {
  const states = files.map((file) => {
    if (file !== undefined) requireAnswer(file);
    const stat = file === undefined ? undefined : statSync(file, { throwIfNoEntry: false });
    return stat === undefined ? '-' : `${stat.mtimeMs}:${stat.isDirectory() ? '' : stat.size}`;
  });
  return [...states, ...folders.map((folder) => statSync(folder, { throwIfNoEntry: false }) !== undefined)].join(' ');
}
