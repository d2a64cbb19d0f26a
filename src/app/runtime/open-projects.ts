import { LEVELS } from '../../core/config/spec.ts';
import { Refused } from '../../core/failure.ts';
import type { SessionMachine } from '../../core/ports/machine.ts';
import { type Aside, nearbyFor, type NearbyOf, openedOnce } from '../embedding/nearby.ts';
import type { OpenEmbedding } from '../embedding/open.ts';
import type { HookContext } from '../hooks/hook-context.ts';
import { itemOfFile } from '../index/item.ts';
import type { Memory } from '../memory/memory.ts';
import type { ComposedMemory, Opening } from '../memory/open.ts';
import { type LocatedProject, locateProject } from '../project/locate.ts';
import { openLocated, openUser } from '../project/open.ts';
import { type ProjectMessages, rankWithMessages } from '../search/messages.ts';
import { searchPlace } from '../search/place.ts';
import type { SearchPlace } from '../search/search.ts';
import { HOOK_PATIENCE } from './event-process.ts';
import { hookContexts } from './open-hook.ts';
import { openRecallContext } from './open-recall.ts';

/** Projects that are open at once: an agent works in one, and looks into few others. */
const MOST_OPEN = 4;

/** An agent waits for a search, and the user for a prompt. */
const NEARBY_MS = { search: 2_000, prompt: 150 } as const;

/** A project whose memory stays open between calls. */
export interface RuntimeProject {
  readonly memory: Memory;
  readonly project: LocatedProject['project'];
  readonly config: LocatedProject['config'];
  /** The project as a search sees it. */
  readonly place: SearchPlace;
  /** The context of a hook; the branch may have changed since the last call. */
  hook(): HookContext;
  close(): Promise<void>;
}

type Close = () => Promise<void>;

export interface OpenProjectsHost {
  readonly machine: SessionMachine;
  readonly client: () => string;
  openMessages(key: string): ProjectMessages;
  /** Starts another process to repair the views of the memories of a folder, because events wait for work in this one. */
  repair(cwd?: string): void;
  openEmbedding(): Promise<OpenEmbedding>;
}

interface Opened {
  readonly fingerprint: string;
  readonly project: RuntimeProject;
}

/** The projects that a server has open; opened anew when their settings have changed, since those are read once. */
export class OpenProjects {
  readonly #host: OpenProjectsHost;
  readonly #aside: Aside;
  readonly #projects = new Map<string, Opened>();
  #user: ComposedMemory | undefined;
  #nearby: Readonly<Record<'search' | 'prompt', NearbyOf>> | undefined;
  #closers: Close[] = [];
  /** Searches that wait for an embedder; what they use stays open until they end. */
  #waiting = 0;
  #unclosed: Close[] = [];

  constructor(host: OpenProjectsHost, aside: Aside) {
    this.#host = host;
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

  async project(cwd: string): Promise<RuntimeProject> {
    const known = this.#projects.get(cwd);
    if (known && known.fingerprint === this.#fingerprint(known.project)) return known.project;
    if (known) {
      await this.#drop(cwd, known);
      await this.#dropShared();
    }
    const { machine } = this.#host;
    const located = locateProject(machine.folders, { cwd, now: machine.now });
    if (!located.ok) throw new Refused(located.error);
    const [oldest] = this.#projects.size >= MOST_OPEN ? this.#projects : [];
    if (oldest) await this.#drop(...oldest);
    // Taken before the settings are read: a change in between is seen the next time.
    const fingerprint = this.#fingerprint(located.value);
    const project = this.#open(located.value, cwd);
    this.#projects.set(cwd, { fingerprint, project });
    return project;
  }

  /** The places of a search: the project first, then the user's own memory. */
  async places(cwd: string): Promise<readonly SearchPlace[]> {
    const { place } = await this.project(cwd);
    const user = await this.user();
    const { search } = this.#nearbyOf();
    return [
      { ...place, ...search(place.memory) },
      { memory: user, ...search(user) },
    ];
  }

  #nearbyOf(): Readonly<Record<'search' | 'prompt', NearbyOf>> {
    const { timers } = this.#host.machine;
    const open = openedOnce(this.#host.openEmbedding, this.#closers);
    this.#nearby ??= {
      search: nearbyFor({ open, within: { ms: NEARBY_MS.search, timers }, aside: this.#aside }),
      prompt: nearbyFor({ open, within: { ms: NEARBY_MS.prompt, timers }, onlyWarm: true }),
    };
    return this.#nearby;
  }

  async user(): Promise<Memory> {
    this.#user ??= openUser(this.#host.machine, this.#opening());
    return this.#user.memory;
  }

  /** Events wait for the server, so another process repairs views. */
  #opening(cwd?: string): Opening {
    return { patience: HOOK_PATIENCE, overrides: { itemOf: async (file) => itemOfFile(file), repairViews: async () => this.#host.repair(cwd) } };
  }

  #open(located: LocatedProject, cwd: string): RuntimeProject {
    const { machine, client, openMessages } = this.#host;
    const opened = openLocated(machine, located, this.#opening(cwd));
    const recall = openRecallContext(
      machine,
      opened,
      this.#opening(cwd),
      rankWithMessages(openMessages, (memory) => this.#nearbyOf().prompt(memory)),
    );
    const place = searchPlace({
      memory: opened.memory,
      openMessages: async (key) => openMessages(key),
      log: recall.recallContext.log,
    });
    const checkout = machine.checkout(opened.project.worktree);
    const context = hookContexts(machine, opened, recall, client());
    return {
      ...opened,
      place,
      hook: () => {
        const { recallContext, ...rest } = context();
        const { branch: _before, ...unchanged } = recallContext;
        const branch = checkout.branch();
        return { ...rest, recallContext: { ...unchanged, asksBy: 'tools', ...(branch !== undefined && { branch }) } };
      },
      close: async () => {
        place.close();
        await recall.close();
        await opened.close();
      },
    };
  }

  /** A new state folder means that the index is now on disk and no longer in memory. */
  #fingerprint({ config, project }: Pick<LocatedProject, 'config' | 'project'>): string {
    const { registry, userRoot, state } = this.#host.machine.places;
    return this.#host.machine.fingerprint([...LEVELS.map((level) => config.place(level)), registry], [userRoot, state(project.key), project.privateRoot]);
  }

  async close(): Promise<void> {
    for (const { project } of this.#projects.values()) await project.close();
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

  async #drop(cwd: string, { project }: Opened): Promise<void> {
    this.#projects.delete(cwd);
    await this.#letGo(() => project.close());
  }

  async #letGo(...closers: readonly Close[]): Promise<void> {
    this.#unclosed.push(...closers);
    while (this.#waiting === 0) {
      const close = this.#unclosed.shift();
      if (!close) return;
      await close();
    }
  }
}
