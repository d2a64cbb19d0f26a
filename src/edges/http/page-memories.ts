import { catchUp } from '../../app/index/catch-up.ts';
import { watchedFolders } from '../../app/memory/layout.ts';
import type { Memory } from '../../app/memory/memory.ts';
import type { SearchPlace } from '../../app/search/search.ts';
import { isFailure, isRefused } from '../../core/failure.ts';
import type { FolderWatcher } from '../../core/ports/host.ts';
import type { InjectionLog } from '../../core/ports/injection-log.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import type { ProjectAccess, ViewHost } from './host.ts';

/** The user's own memory, where a project is asked for; no project is called so. */
export const USER = '~user';
/** Every memory of the home. */
export const ALL = '~all';

/** Checking this many files takes about ten milliseconds. */
const SWEPT_FILES = 2_000;
const FIRST_LOOK_MS = 2_000;
/** Views, and files on their way to their place. */
const OWN_FILES = /^(?:[._]|index\.md$)/;

/** A memory that stays open for as long as the page does. */
export interface PageMemory {
  readonly key: string;
  readonly place: SearchPlace;
  readonly memory: Memory;
  /** Absent for the user's own memory. */
  readonly log?: InjectionLog;
  readonly access: ProjectAccess;
  /** Brings the index up to the files, looking at all of them where something has changed. */
  follow(): Promise<void>;
  /** Another one after every change. */
  version(): Promise<string>;
}

/** Opens memories when they are first looked at and keeps them open. */
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
    // One that could not be opened may be later.
    opening.catch(() => this.#open.delete(key));
    return ok(await opening);
  }

  /** Another one after every change to any memory of the home. */
  async versionOfAll(): Promise<string> {
    const versions: string[] = [];
    for (const key of [...this.#host.projects().map((project) => project.key), USER]) {
      const opened = await this.at(key).catch((cause: unknown) => {
        // The list of projects says why one cannot be opened.
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
    // Not the home itself: the client writes there all the time.
    const roots = memory.store.roots.filter((root) => root !== 'home');
    const folders = (): string[] => roots.flatMap((root) => watchedFolders(root).map((path) => memory.store.absolute({ root, path })));
    watcher.follow(folders());
    // The first answer does not wait for a look at every file; what was edited before the page started appears right after it.
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
