import { statSync } from 'node:fs';
import { currentBranch } from '../../adapters/git/refs.ts';
import { repositoryHolding } from '../../adapters/git/repository.ts';
import { itemOfFile } from '../../app/index/item.ts';
import type { HookContext } from '../../app/hooks/hook-context.ts';
import type { Memory } from '../../app/memory/memory.ts';
import type { SearchPlace } from '../../app/search/search.ts';
import { LEVELS } from '../../core/config/spec.ts';
import { Refused } from '../../core/failure.ts';
import { hookContextOver, type HookEnvironment } from './hook-desk.ts';
import type { Aside } from '../../app/embedding/nearby.ts';
import { searchNearby } from '../wiring/search-nearby.ts';
import { placesIn } from '../../adapters/files/home-layout.ts';
import { type LocatedProject, locateProject } from '../wiring/locate.ts';
import { openLocated, openUser, type OpenProject } from './project.ts';
import { recallContextFor, type OpenRecallContext } from './recall.ts';
import { withMessages } from './recall-ranking.ts';
import { type OpenPlace, searchPlace } from './search-place.ts';

/** Projects that are open at once: an agent works in one, and looks into few others. */
const MOST_OPEN = 4;
/** An agent waits for a search. */
const NEARBY_MS = 2_000;

export interface WarmContext extends HookEnvironment {
  /** Has the views of the memories around a folder mended: events wait for whatever is done here. */
  readonly mend?: (cwd?: string) => void;
}

interface WarmProject {
  readonly stamp: string;
  readonly opened: OpenProject;
  readonly bearings: OpenRecallContext;
  readonly place: OpenPlace;
}

const stampOf = (files: readonly (string | undefined)[]): string =>
  files
    .map((file) => {
      const stat = file === undefined ? undefined : statSync(file, { throwIfNoEntry: false });
      return stat === undefined ? '-' : `${stat.mtimeMs}:${stat.isDirectory() ? '' : stat.size}`;
    })
    .join(' ');

/** Memories that stay open between calls; opened anew when their settings have changed, since those are read once. */
export class WarmMemories {
  readonly #around: WarmContext;
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #projects = new Map<string, WarmProject>();
  #user: { readonly memory: Memory; close(): Promise<void> } | undefined;

  #closers: (() => Promise<void>)[] = [];
  readonly #aside: Aside;
  /** Searches that wait for somebody else; what they go on with stays open. */
  #waiting = 0;
  #unclosed: (() => Promise<void>)[] = [];
  #nearby: ReturnType<typeof searchNearby> | undefined;

  constructor(around: WarmContext, env: Readonly<Record<string, string | undefined>>, aside: Aside) {
    this.#around = around;
    this.#env = env;
    this.#aside = async (wait) => {
      this.#waiting++;
      try {
        return await aside(wait);
      } finally {
        this.#waiting--;
      }
    };
  }

  isOpen(cwd: string): boolean {
    return this.#projects.has(cwd);
  }

  async project(cwd: string): Promise<OpenProject> {
    return (await this.#at(cwd)).opened;
  }

  /** The desk of a hook; the branch may be another one since the last call. */
  async desk(cwd: string): Promise<{ readonly desk: HookContext; readonly project: OpenProject['project'] }> {
    const { opened, bearings } = await this.#at(cwd);
    const desk = hookContextOver(opened, bearings, this.#around);
    const { branch: _before, ...rest } = desk.bearings;
    const repository = repositoryHolding(opened.project.worktree);
    const branch = repository && currentBranch(repository);
    return { desk: { ...desk, bearings: { ...rest, ...(branch !== undefined && { branch }) } }, project: opened.project };
  }

  /** What a search looks at: the project first, then what is the user's own. */
  async places(cwd: string): Promise<readonly SearchPlace[]> {
    const { place } = await this.#at(cwd);
    const user = await this.user();
    this.#nearby ??= searchNearby({ home: () => this.#around.home, env: this.#env, closers: this.#closers, withinMs: NEARBY_MS, aside: this.#aside });
    return [
      { ...place, ...this.#nearby(place.memory) },
      { memory: user, ...this.#nearby(user) },
    ];
  }

  async user(): Promise<Memory> {
    this.#user ??= openUser(this.#over());
    return this.#user.memory;
  }

  async close(): Promise<void> {
    for (const warm of this.#projects.values()) await closeWarm(warm);
    this.#projects.clear();
    await this.#dropShared();
  }

  /** What all projects have in common, and what was opened by its settings. */
  async #dropShared(): Promise<void> {
    const user = this.#user;
    const closers = [...this.#closers, async () => user?.close()];
    this.#closers = [];
    this.#nearby = undefined;
    this.#user = undefined;
    await this.#letGo(...closers);
  }

  async #letGo(...closers: readonly (() => Promise<void>)[]): Promise<void> {
    this.#unclosed.push(...closers);
    while (this.#waiting === 0) {
      const close = this.#unclosed.shift();
      if (!close) return;
      await close();
    }
  }

  async #at(cwd: string): Promise<WarmProject> {
    const known = this.#projects.get(cwd);
    if (known && known.stamp === this.#stamp(known.opened)) return known;
    if (known) {
      await this.#drop(cwd, known);
      await this.#dropShared();
    }
    const located = locateProject({ ...this.#around, cwd });
    if (!located.ok) throw new Refused(located.error);
    const [oldest] = this.#projects.size >= MOST_OPEN ? this.#projects : [];
    if (oldest) await this.#drop(...oldest);
    // Taken before the settings are read: a change in between is seen the next time.
    const stamp = this.#stamp(located.value);
    const around = this.#over(cwd);
    const opened = openLocated(located.value, around);
    const bearings = recallContextFor(opened, around, withMessages);
    const place = searchPlace(this.#around.home, opened.memory, (ids) => bearings.bearings.log.feedbackOf(ids));
    const warm = { stamp, opened, bearings, place };
    this.#projects.set(cwd, warm);
    return warm;
  }

  #over(cwd?: string): HookEnvironment {
    const { mend, ...around } = this.#around;
    return { ...around, late: { itemOf: async (file) => itemOfFile(file), ...(mend && { mendViews: async () => mend(cwd) }) } };
  }

  async #drop(cwd: string, warm: WarmProject): Promise<void> {
    this.#projects.delete(cwd);
    await this.#letGo(() => closeWarm(warm));
  }

  /** What was read when a project was opened; a state folder that has come to be means an index on disk in place of one in memory. */
  #stamp({ config, project }: Pick<LocatedProject, 'config' | 'project'>): string {
    const { registry, userRoot, state } = placesIn(this.#around.home);
    const exists = [userRoot, state(project.key), project.privateRoot].map((folder) => statSync(folder, { throwIfNoEntry: false }) !== undefined).join();
    return `${stampOf([...LEVELS.map((level) => config.place(level)), registry])} ${exists}`;
  }
}

async function closeWarm({ opened, bearings, place }: WarmProject): Promise<void> {
  place.close();
  await bearings.close();
  await opened.close();
}
