import { catchUp } from '../../app/index/catch-up.ts';
import { watchedFolders } from '../../app/memory/layout.ts';
import type { Memory } from '../../app/memory/memory.ts';
import type { SearchPlace } from '../../app/search/search.ts';
import { isFailure, isRefused } from '../../core/failure.ts';
import type { FolderWatcher } from '../../core/ports/host.ts';
import type { InjectionLog } from '../../core/ports/injection-log.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import type { ProjectAccess, ViewHost } from './host.ts';

/** Stands for the user's own memory in place of a project; no key of a project begins with `~`. */
export const USER = '~user';
/** Every memory of the home. */
export const ALL = '~all';

/** Checking this many files takes about ten milliseconds. */
const SWEPT_FILES = 2_000;
const FIRST_LOOK_MS = 2_000;
/** Views and temporary files, which Holdfast writes itself. */
const OWN_FILES = /^(?:[._]|index\.md$)/;

/** A memory that stays open for as long as the page does. */
export interface PageMemory {
  readonly key: string;
  readonly place: SearchPlace;
  readonly memory: Memory;
  /** Absent for the user's own memory. */
  readonly log?: InjectionLog;
  readonly access: ProjectAccess;
  /** Brings the index up to date with the files; checks all of them if something has changed. */
  follow(): Promise<void>;
  /** Changes with the memory. */
  version(): Promise<string>;
}

/** Opens memories when they are first used, and keeps them open. */
export class PageMemories {
  readonly #host: ViewHost;
  readonly #open = new Map<string, Promise<PageMemory>>();
  readonly #watchers: FolderWatcher[] = [];

  constructor(host: ViewHost) {
    this.#host = host;
  }

  async at(key: string | undefined): Promise<Result<PageMemory>> {
    if (key === undefined || (key !== USER && !this.#host.projects().some((project) => project.key === key)))
      return refuse('NOT_FOUND', `There is no project ${JSON.stringify(key ?? '')}.`, { missing: true, hint: 'choose one from the list of projects' });
    const known = this.#open.get(key);
    if (known) return ok(await known);
    const opening = this.#openPlace(key);
    this.#open.set(key, opening);
    // If opening failed, the next request tries again.
    opening.catch(() => this.#open.delete(key));
    return ok(await opening);
  }

  /** Changes with any memory of the home. */
  async versionOfAll(): Promise<string> {
    const versions: string[] = [];
    for (const key of [...this.#host.projects().map((project) => project.key), USER]) {
      const opened = await this.at(key).catch((cause: unknown) => {
        // The list of projects shows the reason.
        if (isFailure(cause) || isRefused(cause)) return undefined;
        throw cause;
      });
      versions.push(`${key} ${opened?.ok === true ? await opened.value.version() : '-'}`);
    }
    return versions.join(' ');
  }

  close(): void {
    for (const watcher of this.#watchers) watcher.close();
  }

  async #openPlace(key: string): Promise<PageMemory> {
    const isUser = key === USER;
    const project = this.#host.projects().find((one) => one.key === key);
    const access = this.#host.access(isUser ? undefined : key);
    const place = await access.open(isUser ? 'user' : 'project');
    const { memory } = place;
    const log = isUser ? undefined : (await access.recallContext()).log;
    let [changes, isTouched] = [0, false];
    const watcher = this.#host.watch((name) => {
      if (OWN_FILES.test(name)) return;
      changes += 1;
      isTouched = true;
    });
    this.#watchers.push(watcher);
    // The home itself is not watched, because the client writes there all the time.
    const roots = memory.store.roots.filter((root) => root !== 'home');
    const folders = (): string[] => roots.flatMap((root) => watchedFolders(root).map((path) => memory.store.absolute({ root, path })));
    watcher.follow(folders());
    // The first answer does not wait for a check of every file; edits made before the start appear soon after.
    setTimeout(() => {
      changes += 1;
      isTouched = true;
    }, FIRST_LOOK_MS).unref();
    return {
      key,
      place,
      memory,
      access,
      ...(log && { log }),
      follow: async () => {
        const scope = isTouched || memory.index.fileCount() <= SWEPT_FILES ? 'all' : 'sweep';
        isTouched = false;
        await catchUp(memory, scope);
      },
      version: async () => {
        watcher.follow(folders());
        return `${changes}.${await memory.store.journal.position()}.${this.#host.fingerprint(project)}`;
      },
    };
  }
}
