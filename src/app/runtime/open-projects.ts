import { LEVELS } from '../../core/config/spec.ts';
import { Refused } from '../../core/failure.ts';
import type { SessionMachine } from '../../core/ports/machine.ts';
import { type WaitOutsideTurn, nearbyFor, type NearbyOf, openOnce } from '../embedding/nearby.ts';
import type { OpenEmbedding } from '../embedding/open.ts';
import type { HookContext } from '../hooks/hook-context.ts';
import { itemOfFile } from '../index/item.ts';
import type { Memory } from '../memory/memory.ts';
import type { ComposedMemory, Opening } from '../memory/open.ts';
import { type LocatedProject, locateIfOn, locateProject } from '../project/locate.ts';
import { openLocated, openUser } from '../project/open.ts';
import { type ProjectMessages, rankWithMessages } from '../search/messages.ts';
import { searchPlace } from '../search/place.ts';
import type { SearchPlace } from '../search/search.ts';
import { HOOK_LOCK_TIMEOUTS } from './event-process.ts';
import { hookContexts } from './open-hook.ts';
import { openRecallContext } from './open-recall.ts';

/** Projects that are open at once: an agent works in one, and looks into few others. */
const MAX_OPEN_PROJECTS = 4;

/** How long to wait for an embedder: the agent waits for a search, the user for a prompt. */
const NEARBY_TIMEOUT_MS = { search: 2_000, prompt: 150 } as const;

/** A project whose memory stays open between calls. */
export interface RuntimeProject {
  readonly memory: Memory;
  readonly project: LocatedProject['project'];
  readonly config: LocatedProject['config'];
  /** The project as a search sees it. */
  readonly place: SearchPlace;
  /** The context of a hook; the branch may have changed since the last call. */
  hookContext(): HookContext;
  close(): Promise<void>;
}

type Close = () => Promise<void>;

export interface OpenProjectsHost {
  readonly machine: SessionMachine;
  readonly client: () => string;
  openMessages(key: string): ProjectMessages;
  /** Starts another process to repair the views of the memories of a folder, because events wait for work in this one. */
  repairViews(cwd?: string): void;
  openEmbedding(): Promise<OpenEmbedding>;
}

interface OpenEntry {
  readonly fingerprint: string;
  readonly project: RuntimeProject;
}

/** The projects that a server has open. Settings are read once, so a project is opened again when they have changed. */
export class OpenProjects {
  readonly #host: OpenProjectsHost;
  readonly #waitOutsideTurn: WaitOutsideTurn;
  readonly #projects = new Map<string, OpenEntry>();
  #user: ComposedMemory | undefined;
  #nearby: Readonly<Record<'search' | 'prompt', NearbyOf>> | undefined;
  #closers: Close[] = [];
  /** Searches that wait for an embedder: nothing is closed until they end. */
  #runningSearches = 0;
  #unused: Close[] = [];

  constructor(host: OpenProjectsHost, aside: WaitOutsideTurn) {
    this.#host = host;
    this.#waitOutsideTurn = async (wait) => {
      this.#runningSearches++;
      try {
        return await aside(wait);
      } finally {
        this.#runningSearches--;
      }
    };
  }

  /** Whether memory is on in a folder; opens nothing. */
  isOn(cwd: string): boolean {
    const { folders, now } = this.#host.machine;
    return this.#projects.has(cwd) || locateIfOn(folders, { cwd, now }) !== undefined;
  }

  /** The memory of a folder for an event; undefined where memory is off. */
  async openIfOn(cwd: string): Promise<{ readonly context: HookContext; readonly project: RuntimeProject['project'] } | undefined> {
    if (!this.isOn(cwd)) return undefined;
    const opened = await this.open(cwd);
    const context = opened.hookContext();
    return context.switched.on ? { context, project: opened.project } : undefined;
  }

  async open(cwd: string): Promise<RuntimeProject> {
    const entry = this.#projects.get(cwd);
    if (entry && entry.fingerprint === this.#fingerprint(entry.project)) return entry.project;
    if (entry) {
      await this.#closeProject(cwd, entry);
      await this.#closeShared();
    }
    const { machine } = this.#host;
    const located = locateProject(machine.folders, { cwd, now: machine.now });
    if (!located.ok) throw new Refused(located.error);
    const [oldest] = this.#projects.size >= MAX_OPEN_PROJECTS ? this.#projects : [];
    if (oldest) await this.#closeProject(...oldest);
    // Before the settings are read, so that a change in between is noticed the next time.
    const fingerprint = this.#fingerprint(located.value);
    const project = this.#openMemory(located.value, cwd);
    this.#projects.set(cwd, { fingerprint, project });
    return project;
  }

  /** The places of a search: the project first, then the user's own memory. */
  async places(cwd: string): Promise<readonly SearchPlace[]> {
    const { place } = await this.open(cwd);
    const user = await this.user();
    const { search } = this.#nearbyOf();
    return [
      { ...place, ...search(place.memory) },
      { memory: user, ...search(user) },
    ];
  }

  #nearbyOf(): Readonly<Record<'search' | 'prompt', NearbyOf>> {
    if (this.#nearby) return this.#nearby;
    const { timers } = this.#host.machine;
    const open = openOnce(this.#host.openEmbedding, this.#closers);
    this.#nearby = {
      search: nearbyFor({ open, timeout: { ms: NEARBY_TIMEOUT_MS.search, timers }, waitOutsideTurn: this.#waitOutsideTurn }),
      prompt: nearbyFor({ open, timeout: { ms: NEARBY_TIMEOUT_MS.prompt, timers }, onlyWarm: true }),
    };
    return this.#nearby;
  }

  async user(): Promise<Memory> {
    this.#user ??= openUser(this.#host.machine, this.#opening());
    return this.#user.memory;
  }

  /** Events wait for the server, so another process repairs views. */
  #opening(cwd?: string): Opening {
    return { lockTimeouts: HOOK_LOCK_TIMEOUTS, overrides: { itemOf: async (file) => itemOfFile(file), repairViews: async () => this.#host.repairViews(cwd) } };
  }

  #openMemory(located: LocatedProject, cwd: string): RuntimeProject {
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
      hookContext: () => {
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
    await this.#closeShared();
  }

  /** Closes the embedder and the user's memory, which all projects use. */
  async #closeShared(): Promise<void> {
    const user = this.#user;
    const closers = [...this.#closers, async () => user?.close()];
    this.#closers = [];
    this.#nearby = undefined;
    this.#user = undefined;
    await this.#closeUnused(...closers);
  }

  async #closeProject(cwd: string, { project }: OpenEntry): Promise<void> {
    this.#projects.delete(cwd);
    await this.#closeUnused(() => project.close());
  }

  async #closeUnused(...closers: readonly Close[]): Promise<void> {
    this.#unused.push(...closers);
    while (this.#runningSearches === 0) {
      const close = this.#unused.shift();
      if (!close) return;
      await close();
    }
  }
}
