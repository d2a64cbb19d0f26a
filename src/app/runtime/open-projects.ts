import { Refused } from '../../core/failure.ts';
import type { Result } from '../../core/result.ts';
import type { Aside } from '../embedding/nearby.ts';
import type { HookContext } from '../hooks/hook-context.ts';
import type { Memory } from '../memory/memory.ts';
import type { LocatedProject } from '../project/locate.ts';
import type { SearchPlace } from '../search/search.ts';

/** Projects that are open at once: an agent works in one, and looks into few others. */
const MOST_OPEN = 4;

/** A project whose memory stays open between calls. */
export interface RuntimeProject {
  readonly memory: Memory;
  readonly project: LocatedProject['project'];
  readonly config: LocatedProject['config'];
  /** The project as a search sees it. */
  readonly place: SearchPlace;
  /** What a hook works with; the branch may be another one since the last call. */
  hook(): HookContext;
  close(): Promise<void>;
}

type Close = () => Promise<void>;

export interface OpenProjectsHost {
  locate(cwd: string): Result<LocatedProject>;
  open(located: LocatedProject, cwd: string): RuntimeProject;
  openUser(): { readonly memory: Memory; close(): Promise<void> };
  /** Changes when the files that were read to open a project change. */
  fingerprint(located: Pick<LocatedProject, 'config' | 'project'>): string;
  /** Search by meaning; `closers` takes what closes it. */
  nearby(aside: Aside, closers: Close[]): (memory: Memory) => Pick<SearchPlace, 'nearby'>;
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
  #user: ReturnType<OpenProjectsHost['openUser']> | undefined;
  #nearby: ReturnType<OpenProjectsHost['nearby']> | undefined;
  #closers: Close[] = [];
  /** Searches that wait for somebody else; what they go on with stays open. */
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
    if (known && known.fingerprint === this.#host.fingerprint(known.project)) return known.project;
    if (known) {
      await this.#drop(cwd, known);
      await this.#dropShared();
    }
    const located = this.#host.locate(cwd);
    if (!located.ok) throw new Refused(located.error);
    const [oldest] = this.#projects.size >= MOST_OPEN ? this.#projects : [];
    if (oldest) await this.#drop(...oldest);
    // Taken before the settings are read: a change in between is seen the next time.
    const fingerprint = this.#host.fingerprint(located.value);
    const project = this.#host.open(located.value, cwd);
    this.#projects.set(cwd, { fingerprint, project });
    return project;
  }

  /** What a search looks at: the project first, then what is the user's own. */
  async places(cwd: string): Promise<readonly SearchPlace[]> {
    const { place } = await this.project(cwd);
    const user = await this.user();
    this.#nearby ??= this.#host.nearby(this.#aside, this.#closers);
    return [
      { ...place, ...this.#nearby(place.memory) },
      { memory: user, ...this.#nearby(user) },
    ];
  }

  async user(): Promise<Memory> {
    this.#user ??= this.#host.openUser();
    return this.#user.memory;
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
