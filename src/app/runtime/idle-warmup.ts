import type { HookContext } from '../hooks/hook-context.ts';
import { catchUp } from '../index/catch-up.ts';
import { watchedFolders } from '../memory/layout.ts';
import type { Memory } from '../memory/memory.ts';
import { brief } from '../recall/brief/brief.ts';
import { recall } from '../recall/recall.ts';
import type { ItemFacts } from '../../core/ports/index.ts';
import type { FolderWatcher, Timers } from '../../core/ports/host.ts';
import type { TaskQueue } from '../../core/task-queue.ts';

/** Quiet time before warming up; a client that has just started sends more at once. */
const QUIET_MS = 20;
/** A folder changed within the last second may change again in the same clock tick; wait, or read it twice. */
const SETTLED_MS = 1_200;
/** Checking this many files takes about ten milliseconds. */
const SWEPT_FILES = 2_000;
/** After so many recalls V8 has compiled the code of the next; each takes a few milliseconds. */
const REHEARSALS = 8;

/** Views, and files on their way to their place. */
const OWN_FILES = /^(?:[._]|index\.md$)/;

interface WarmupHost {
  /** Undefined when memory is off. */
  readonly context: () => Promise<HookContext | undefined>;
  readonly turns: TaskQueue;
  /** Starts a process that checks all files. */
  readonly lookElsewhere: () => void;
  readonly timers: Timers;
  /** Calls back with the name of a file that may have changed. */
  readonly watch: (changed: (name: string) => void) => FolderWatcher;
}

/** Warms the idle server: opens the memory, indexes manual edits, rehearses a brief and some recalls; then follows the memory's folders. */
export class IdleWarmup {
  readonly #host: WarmupHost;
  readonly #watch: FolderWatcher;
  #ready: Promise<void> | undefined;
  #isAsked = false;
  #cancelIdle: () => void = () => {};
  #cancelChanged: () => void = () => {};

  constructor(host: WarmupHost) {
    this.#host = host;
    this.#watch = host.watch((name) => {
      if (OWN_FILES.test(name)) return;
      this.#cancelChanged();
      this.#cancelChanged = host.timers.after(SETTLED_MS, () => void this.#turn((context) => this.#lookAgain(context)));
    });
  }

  /** Finishes the first check before an answer, once. */
  ready(): Promise<void> {
    this.#isAsked = true;
    return this.#prepare();
  }

  /** Postpones the warm-up: a message came that does not use the memory. */
  said(): void {
    this.#cancelIdle();
    if (!this.#ready) this.#cancelIdle = this.#host.timers.after(QUIET_MS, () => void this.#beforehand());
  }

  close(): void {
    this.#cancelIdle();
    this.#cancelChanged();
    this.#watch.close();
  }

  async #beforehand(): Promise<void> {
    await this.#host.turns.run(() => this.#prepare());
    await this.#pause(SETTLED_MS);
    for (const step of [parseOne, briefOnce, ...Array.from({ length: REHEARSALS }, (_, nth) => recallNth(nth))]) {
      // Release the turn in between; a real event replaces the rehearsal.
      await this.#pause(0);
      if (this.#isAsked) return;
      await this.#turn(step);
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#host.timers.after(ms, resolve));
  }

  #prepare(): Promise<void> {
    return (this.#ready ??= this.#withContext((context) => this.#look(context)));
  }

  /** Checks every file of a small memory; of a large one, what any answer would check. */
  async #look({ memory, recallContext: { user } }: HookContext): Promise<void> {
    await catchUp(memory, memory.index.fileCount() <= SWEPT_FILES ? 'all' : 'sweep');
    if (user) await catchUp(user, 'sweep');
    for (const one of user ? [memory, user] : [memory]) this.#watch.follow(foldersOf(one));
  }

  async #lookAgain(context: HookContext): Promise<void> {
    if (context.memory.index.fileCount() > SWEPT_FILES) this.#host.lookElsewhere();
    else await this.#look(context);
  }

  #turn(work: (context: HookContext) => Promise<unknown>): Promise<void> {
    return this.#host.turns.run(() => this.#withContext(work));
  }

  async #withContext(work: (context: HookContext) => Promise<unknown>): Promise<void> {
    try {
      const context = await this.#host.context();
      if (context) await work(context);
    } catch {
      // The next event reports the problem.
      return;
    }
  }
}

/** Does not watch the home itself: the client writes there all the time. */
const foldersOf = ({ store }: Memory): readonly string[] =>
  store.roots.filter((root) => root !== 'home').flatMap((root) => watchedFolders(root).map((path) => store.absolute({ root, path })));

const newestOf = ({ memory }: HookContext, nth = 0): ItemFacts | undefined => memory.index.recent({ kind: 'record', status: 'active' }, 1, nth)[0];

/** Loads the code that indexing a changed file needs. */
async function parseOne(context: HookContext): Promise<void> {
  const { memory } = context;
  const newest = newestOf(context);
  const file = newest && (await memory.store.read(newest));
  if (!file) return;
  memory.md5(file.text);
  await memory.itemOf(file);
}

/** Nothing is logged without a session. */
const briefOnce = ({ memory, recallContext }: HookContext): Promise<unknown> => brief(memory, recallContext, { event: 'startup' });

const recallNth =
  (nth: number) =>
  async (context: HookContext): Promise<void> => {
    const record = newestOf(context, nth);
    if (record) await recall(context.memory, context.recallContext, { prompt: `Why did we choose ${record.title}?` });
  };
