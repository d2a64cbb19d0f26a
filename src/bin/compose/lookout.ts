import { FolderWatch } from '../../adapters/files/watch.ts';
import type { HookDesk } from '../../app/hooks/desk.ts';
import { catchUp } from '../../app/index/catch-up.ts';
import { watchedFolders } from '../../app/memory/layout.ts';
import type { Memory } from '../../app/memory/memory.ts';
import { brief } from '../../app/recall/brief/brief.ts';
import { recall } from '../../app/recall/recall.ts';
import type { ItemFacts } from '../../core/ports/index.ts';
import type { Turns } from '../../core/turns.ts';

/** Nothing has been said for so long: a client that has only just started says more at once. */
const QUIET_MS = 20;
/** A folder that changed within the last second may change again within the same tick of its clock, so that it would be looked at twice. */
const SETTLED_MS = 1_200;
/** So many files are looked at in some ten milliseconds. */
const SWEPT_FILES = 2_000;

/** Views, and files on their way to their place. */
const OWN_FILES = /^(?:[._]|index\.md$)/;

interface Watched {
  /** Undefined where memory is off: then nothing is opened. */
  readonly desk: () => Promise<HookDesk | undefined>;
  readonly turns: Turns;
  /** Has another process look at all files. */
  readonly lookElsewhere: () => void;
}

/** What a server does while nobody waits for it, so that whoever asks finds it done: it opens the memory, sees what hands have done, and goes through an answer once. */
export class Lookout {
  readonly #watched: Watched;
  readonly #watch: FolderWatch;
  #ready: Promise<void> | undefined;
  #isAsked = false;
  #idle: NodeJS.Timeout | undefined;
  #changed: NodeJS.Timeout | undefined;

  constructor(watched: Watched) {
    this.#watched = watched;
    this.#watch = new FolderWatch((name) => {
      if (OWN_FILES.test(name)) return;
      clearTimeout(this.#changed);
      this.#changed = setTimeout(() => void this.#turn((desk) => this.#lookAgain(desk)), SETTLED_MS).unref();
    });
  }

  /** For whoever is about to answer: what has to be done first, once. */
  ready(): Promise<void> {
    this.#isAsked = true;
    return this.#prepare();
  }

  /** Something was answered that is not about the memory; more may follow. */
  said(): void {
    clearTimeout(this.#idle);
    if (!this.#ready) this.#idle = setTimeout(() => void this.#beforehand(), QUIET_MS).unref();
  }

  close(): void {
    clearTimeout(this.#idle);
    clearTimeout(this.#changed);
    this.#watch.close();
  }

  async #beforehand(): Promise<void> {
    await this.#watched.turns.run(() => this.#prepare());
    await pause(SETTLED_MS);
    for (const step of [parseOne, briefOnce, recallOnce]) {
      // In between others have their turn, and the real thing makes up for the rehearsal.
      await pause(0);
      if (this.#isAsked) return;
      await this.#turn(step);
    }
  }

  #prepare(): Promise<void> {
    return (this.#ready ??= this.#overDesk((desk) => this.#look(desk)));
  }

  /** Of a small memory every file is looked at, of a large one what an answer would have to look at as well. */
  async #look({ memory, bearings: { user } }: HookDesk): Promise<void> {
    await catchUp(memory, memory.index.fileCount() <= SWEPT_FILES ? 'all' : 'sweep');
    if (user) await catchUp(user, 'sweep');
    for (const one of user ? [memory, user] : [memory]) this.#watch.follow(foldersOf(one));
  }

  async #lookAgain(desk: HookDesk): Promise<void> {
    if (desk.memory.index.fileCount() > SWEPT_FILES) this.#watched.lookElsewhere();
    else await this.#look(desk);
  }

  #turn(work: (desk: HookDesk) => Promise<unknown>): Promise<void> {
    return this.#watched.turns.run(() => this.#overDesk(work));
  }

  async #overDesk(work: (desk: HookDesk) => Promise<unknown>): Promise<void> {
    try {
      const desk = await this.#watched.desk();
      if (desk) await work(desk);
    } catch {
      // The event that meets it says what is wrong.
      return;
    }
  }
}

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });

/** The home itself is the client's, which writes there all the time. */
const foldersOf = ({ store }: Memory): readonly string[] =>
  store.roots.filter((root) => root !== 'home').flatMap((root) => watchedFolders(root).map((path) => store.absolute({ root, path })));

const newestOf = ({ memory }: HookDesk): ItemFacts | undefined => memory.index.recent({ kind: 'record', status: 'active' }, 1)[0];

/** What is loaded and made ready when the first file has changed. */
async function parseOne(desk: HookDesk): Promise<void> {
  const { memory } = desk;
  const newest = newestOf(desk);
  const file = newest && (await memory.store.read(newest));
  if (!file) return;
  memory.md5(file.text);
  await memory.itemOf(file);
}

/** Nothing is logged without a session. */
const briefOnce = ({ memory, bearings }: HookDesk): Promise<unknown> => brief(memory, bearings, { event: 'startup' });

async function recallOnce(desk: HookDesk): Promise<void> {
  const newest = newestOf(desk);
  if (newest) await recall(desk.memory, desk.bearings, { prompt: `Why did we choose ${newest.title}?` });
}
