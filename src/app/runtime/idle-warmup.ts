import type { HookContext } from '../hooks/hook-context.ts';
import { catchUp } from '../index/catch-up.ts';
import { watchedFolders } from '../memory/layout.ts';
import type { Memory } from '../memory/memory.ts';
import { brief } from '../recall/brief/brief.ts';
import { recall } from '../recall/recall.ts';
import type { ItemFacts } from '../../core/ports/index.ts';
import type { FolderWatcher, Timers } from '../../core/ports/host.ts';
import type { TaskQueue } from '../../core/task-queue.ts';

/** The warm-up starts after this long without a message; a client that has just started sends several. */
const QUIET_MS = 20;
/** A folder that changed within the last second may change again with the same time stamp, and would be read twice. */
const FILE_SETTLE_MS = 1_200;
/** Checking this many files takes about ten milliseconds. */
const SMALL_MEMORY_FILES = 2_000;
/** After so many recalls V8 has compiled the code of the next; each takes a few milliseconds. */
const REHEARSED_RECALLS = 8;

/** Views, and files on their way to their place. */
const OWN_FILES = /^(?:[._]|index\.md$)/;

interface WarmupHost {
  /** Undefined when memory is off. */
  readonly context: () => Promise<HookContext | undefined>;
  readonly turns: TaskQueue;
  /** Starts a process that checks all files. */
  readonly checkInBackground: () => void;
  readonly timers: Timers;
  /** Calls back with the name of a file that may have changed. */
  readonly watch: (changed: (name: string) => void) => FolderWatcher;
}

/** Warms the idle server: opens the memory, indexes manual edits, rehearses a brief and some recalls; then follows the memory's folders. */
export class IdleWarmup {
  readonly #host: WarmupHost;
  readonly #watch: FolderWatcher;
  #firstCheck: Promise<void> | undefined;
  #hasEvent = false;
  #cancelWarmup: () => void = () => {};
  #cancelCheck: () => void = () => {};

  constructor(host: WarmupHost) {
    this.#host = host;
    this.#watch = host.watch((name) => {
      if (OWN_FILES.test(name)) return;
      this.#cancelCheck();
      this.#cancelCheck = host.timers.after(FILE_SETTLE_MS, () => void this.#inTurn((context) => this.#checkAfterChange(context)));
    });
  }

  /** An event came: it waits for the first check, and no rehearsal is needed any more. */
  finishFirstCheck(): Promise<void> {
    this.#hasEvent = true;
    return this.#checkOnce();
  }

  /** A message was answered: starts the warm-up once no other has come for a while. */
  startWhenIdle(): void {
    this.#cancelWarmup();
    if (!this.#firstCheck) this.#cancelWarmup = this.#host.timers.after(QUIET_MS, () => void this.#warmUp());
  }

  close(): void {
    this.#cancelWarmup();
    this.#cancelCheck();
    this.#watch.close();
  }

  async #warmUp(): Promise<void> {
    await this.#host.turns.run(() => this.#checkOnce());
    await this.#pause(FILE_SETTLE_MS);
    for (const step of [rehearseParse, rehearseBrief, ...Array.from({ length: REHEARSED_RECALLS }, (_, nth) => rehearseRecall(nth))]) {
      // In a turn of its own, so that a real event comes before the next step.
      await this.#pause(0);
      if (this.#hasEvent) return;
      await this.#inTurn(step);
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#host.timers.after(ms, resolve));
  }

  #checkOnce(): Promise<void> {
    return (this.#firstCheck ??= this.#withContext((context) => this.#checkFiles(context)));
  }

  /** Checks every file of a small memory; of a large one, what any answer would check. */
  async #checkFiles({ memory, recallContext: { user } }: HookContext): Promise<void> {
    await catchUp(memory, memory.index.fileCount() <= SMALL_MEMORY_FILES ? 'all' : 'sweep');
    if (user) await catchUp(user, 'sweep');
    for (const one of user ? [memory, user] : [memory]) this.#watch.follow(watchedFoldersOf(one));
  }

  async #checkAfterChange(context: HookContext): Promise<void> {
    if (context.memory.index.fileCount() > SMALL_MEMORY_FILES) this.#host.checkInBackground();
    else await this.#checkFiles(context);
  }

  #inTurn(work: (context: HookContext) => Promise<unknown>): Promise<void> {
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

/** Leaves out the home itself, where the client writes all the time. */
const watchedFoldersOf = ({ store }: Memory): readonly string[] =>
  store.roots.filter((root) => root !== 'home').flatMap((root) => watchedFolders(root).map((path) => store.absolute({ root, path })));

const newestRecord = ({ memory }: HookContext, nth = 0): ItemFacts | undefined => memory.index.recent({ kind: 'record', status: 'active' }, 1, nth)[0];

/** Loads the code that indexes a changed file. */
async function rehearseParse(context: HookContext): Promise<void> {
  const { memory } = context;
  const newest = newestRecord(context);
  const file = newest && (await memory.store.read(newest));
  if (!file) return;
  memory.md5(file.text);
  await memory.itemOf(file);
}

/** Without a session, nothing is logged. */
const rehearseBrief = ({ memory, recallContext }: HookContext): Promise<unknown> => brief(memory, recallContext, { event: 'startup' });

const rehearseRecall =
  (nth: number) =>
  async (context: HookContext): Promise<void> => {
    const record = newestRecord(context, nth);
    if (record) await recall(context.memory, context.recallContext, { prompt: `Why did we choose ${record.title}?` });
  };
