import type { Evidence } from '../record/schema.ts';
import type { ConversationDigest, KnownFailure } from './episodes.ts';
import type { AgentAction } from '../rules/actions.ts';
import type { HookLog } from './hook-log.ts';
import type { Clock, FolderWatcher, Md5, Processes, Timers } from './host.ts';
import type { Index } from './index.ts';
import type { InjectionLog } from './injection-log.ts';
import type { HashFolder } from './layer-files.ts';
import type { ProjectFolders } from './project.ts';
import type { SessionStates } from './session-states.ts';
import type { RootName, Store } from './store.ts';
import type { TextSweep } from './text-sweep.ts';

/** Places in a home that belong to no project. */
export interface HomePlaces {
  readonly settings: string;
  readonly userRoot: string;
  readonly userState: string;
  readonly workspace: string;
  readonly registry: string;
  readonly staging: string;
  readonly projects: string;
  /** All of Holdfast's own state. */
  readonly ownState: string;
  /** The sentence model and what is known of it. */
  readonly embedder: string;
  state(key: string): string;
}

/** The working tree of a project. */
export interface Checkout {
  exists(path: string): boolean;
  /** When a file was last changed, epoch milliseconds. */
  changedAt(path: string): number | undefined;
  /** The present state of files, to compare later whether they have changed. */
  evidenceOf(paths: readonly string[]): readonly Evidence[];
  branch(): string | undefined;
}

export interface StoreParts {
  readonly roots: Readonly<Partial<Record<RootName, string>>>;
  readonly state: string;
  readonly beforeFirstWrite?: () => Promise<void>;
  /** How long to wait for another writer. */
  readonly lockMs?: number;
}

export interface IndexParts {
  readonly state: string;
  /** Folders that show that there is a memory; without one the index is in memory only, and a look leaves no trace. */
  readonly existsIf: readonly string[];
  readonly busyMs?: number;
}

/** The log of injections in a memory's state folder, for a use case that needs nothing else of it. */
export interface InjectionFiles {
  /** Of records named `category/id`, those that the log shows in use. */
  usedRecordsIn(state: string, names: readonly string[]): ReadonlySet<string>;
  /** Notes that quoted rules are not to come back; their ids do not hold their text. */
  muteRulesIn(state: string, ids: readonly string[], at: string): void;
}

/** Files and databases under one home: what opening a memory needs. `bin/wiring/machine.ts` supplies it. */
export interface Machine {
  readonly home: string;
  readonly now: Clock;
  readonly md5: Md5;
  readonly timers: Timers;
  readonly places: HomePlaces;
  readonly folders: ProjectFolders;
  checkout(worktree: string): Checkout;
  openStore(parts: StoreParts): Store & { close(): void };
  openIndex(parts: IndexParts): Index & { readonly isClean: boolean; close(): void };
  /** Everything under the home that may hold a record's text. */
  sweep(): Promise<TextSweep>;
  /** The logs of injections of memories by their state folders. Loaded when first used. */
  injectionFiles(): Promise<InjectionFiles>;
}

/** Work for `finish.js`. */
export interface BackgroundWork {
  readonly cwd: string;
  readonly session?: string;
  readonly transcript?: string;
  /** No session has ended: only the views are repaired. */
  readonly onlyViews?: boolean;
  /** No session has ended: every project is embedded. */
  readonly onlyEmbeds?: boolean;
}

/** The parts of the machine that tell a hook whether it has anything to do. None of them opens a memory. */
export interface HookMachine {
  readonly home: string;
  readonly now: Clock;
  readonly folders: ProjectFolders;
  readonly processes: Processes;
  readonly hookLog: HookLog;
  sessionNotes(key: string): SessionStates & { clear(now: number): void };
  isFile(path: string): boolean;
  /** Starts a background process; `ended` is called once. */
  startBackground(work: BackgroundWork, ended?: () => void): void;
  /** Writes to standard error. */
  warn(text: string): void;
}

/** The parts of the machine that answer the events of a session. */
export interface SessionMachine extends Machine, HookMachine {
  openInjections(key: string): InjectionLog & { close(): void };
  /** Why commands of a kind failed in a project, newest first. */
  failures(key: string, action: AgentAction): readonly KnownFailure[];
  /** Sentences in which the user may have said how work is to be done. */
  typedRules(key: string): ConversationDigest['rules'];
  /** Of the newest sessions, and of the last answers in some of them. */
  digestConversations(key: string, sessions: number, answered: number): ConversationDigest;
  hashFolder(hash: string): HashFolder | undefined;
  /** A memory file of the user's own; undefined if there is none that may be read. */
  ownText(folder: string, name: string): { readonly text: string; readonly mtimeMs: number } | undefined;
  /** Changes when one of the files is written, or one of the folders comes or goes. */
  fingerprint(files: readonly (string | undefined)[], folders: readonly string[]): string;
  /** Says that something in the folders that it follows may have changed, with the name of it. */
  watch(changed: (name: string) => void): FolderWatcher;
  /** The real path of a file that may not exist yet. */
  realPath(file: string): string;
  /** Lines at the end of a transcript, unparsed. */
  lastLines(transcript: string): Promise<readonly string[]>;
  /** Runs `work` unless another process is at it. */
  runIfUnlocked(key: string, name: 'finish' | 'embed', work: () => Promise<void>): Promise<void>;
  /** Whether `embed` was run for the memory of a state folder. */
  hasVectors(state: string): boolean;
  /** Removes what older versions left. */
  removeOldState(key: string): Promise<void>;
}
