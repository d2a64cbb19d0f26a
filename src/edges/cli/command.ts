import type { Scribe } from '../../app/drafting/scribe.ts';
import type { Embedding } from '../../app/embedding/place.ts';
import type { Bundles } from '../../app/bundle/bundles.ts';
import type { Episodes } from '../../app/episodes/episodes.ts';
import type { ExcludedSession } from '../../app/episodes/excluded.ts';
import type { Source } from '../../app/migrate/source.ts';
import type { Hierarchy } from '../../app/hierarchy/hierarchy.ts';
import type { ProjectState } from '../../app/synthesis/gather.ts';
import type { FileEdit } from '../../app/init/plan.ts';
import type { Memory } from '../../app/memory/memory.ts';
import type { Bearings } from '../../app/recall/bearings.ts';
import type { FoundRelation } from '../../app/workspace/discover.ts';
import type { Ranking, SearchPlace } from '../../app/search/search.ts';
import type { HookLog } from '../../core/ports/hook-log.ts';
import type { SessionNotes } from '../../core/ports/session-notes.ts';
import type { Refusal, Result } from '../../core/result.ts';
import type { WorkspaceMap } from '../../render/documents/workspace.ts';

/** An option of a command: `value` names what follows it; without one it is a switch. */
export interface Option {
  readonly name: string;
  readonly value?: string;
  readonly short?: string;
  readonly many?: boolean;
  readonly about: string;
  readonly choices?: readonly string[];
}

export interface Command {
  readonly name: string;
  readonly about: string;
  /** What stands after the command's name, as the help shows it. */
  readonly positionals: string;
  /** How many of them there may be; absent when there is no bound. */
  readonly most?: number;
  /** Whether `--project all` means something to it. */
  readonly crosses?: true;
  readonly options: readonly Option[];
  readonly examples: readonly (readonly [line: string, about: string])[];
  run(cli: Surroundings, args: Arguments): Promise<Outcome>;
}

/** Parsed and checked against the command's own options. */
export interface Arguments {
  readonly positionals: readonly string[];
  text(name: string): string | undefined;
  texts(name: string): readonly string[];
  flag(name: string): boolean;
  /** A whole number within bounds, or a refusal that names the option. */
  number(name: string, bounds: { readonly min: number; readonly max?: number }): Result<number | undefined>;
}

/** What a command has to say: one JSON document for scripts, lines for people. */
export interface Said {
  readonly json: unknown;
  /** A block that is fenced already, before the lines. */
  readonly block?: string;
  readonly lines: readonly string[];
  /** Not an error, but worth knowing; goes to stderr. */
  readonly warnings?: readonly string[];
  readonly exit?: number;
  /** One JSON document a line in place of one for all. */
  readonly stream?: boolean;
}

export type Outcome = Result<Said, Refusal>;

export interface ProjectFacts {
  readonly key: string;
  readonly hash: string;
  readonly path: string;
  readonly privateRoot: string;
  /** The same as people are told it: with ~ for the user's folder, and a slash at the end. */
  readonly shownRoot: string;
  readonly sharedRoot?: string;
  readonly home: string;
}

export interface OpenMemory extends SearchPlace {
  readonly memory: Memory;
  readonly project?: ProjectFacts;
}

/** What the outside gives a command; the composition root fills it in. */
export interface Cli {
  readonly paint: Paint;
  readonly cwd: string;
  /** The memory that `--home` and `--project` name; `user` is the user's own, whatever the project. Refused when there is no such project. */
  open(which?: 'project' | 'user'): Promise<OpenMemory>;
  /** Every project that has a memory, for `--project all`. */
  openAll(): Promise<readonly OpenMemory[]>;
  readonly crossesProjects: boolean;
  /** What ranks messages, several projects and questions with misspelt words or times in them. */
  ranking(): Promise<Ranking>;
  readInput(fileOrDash: string): Promise<Result<string>>;
  /** Writes a file that was asked for, readable by its owner only; returns its path. A file that is there is not written over. */
  writeOutput(file: string, text: string): Promise<Result<string>>;
  /** Opens the user's editor on a text; undefined when nothing was changed. */
  edit(name: string, text: string): Promise<Result<Edited | undefined>>;
  readonly version: string;
  /** Who types: a person at a terminal, a script without one, or an agent in its shell. */
  readonly caller: Caller;
  now(): number;
  settings(): Promise<Settings>;
  /** What recall and the brief look at beside the memory of the project. */
  bearings(): Promise<Bearings>;
  /** Conversations under the home, whatever the project. */
  episodes(): Promise<Episodes>;
  /** Sessions of the project that hold what its `capture.exclude` leaves out today; with `remove` they hold it no longer. */
  excluded(remove: boolean): Promise<readonly ExcludedSession[]>;
  /** The client's id of the session that the command was called in, where the client says so. */
  readonly session?: string;
  /** What hooks keep of the sessions of the project. */
  hookNotes(): Promise<SessionNotes>;
  /** The four memory files of the project, and its MEMORY.md. */
  hierarchy(): Promise<Hierarchy>;
  /** Memories out and in, as one file. */
  bundles(): Promise<Bundles>;
  /** Memories of other layouts: those around the project, or those that the paths name. */
  foreign(paths: readonly string[]): Promise<Result<{ readonly sources: readonly Source[]; readonly hints: readonly string[] }>>;
  /** Where drafts and summaries are made, with a model or without. */
  scribe(): Promise<Scribe>;
  /** Vectors of the texts, where an embedder is set up; patiently when nobody waits for an answer. */
  embedding(how?: 'patiently'): Promise<Embedding>;
  /** Answers an event of a client's session from standard input to standard output. */
  hook(event: string, client: string): Promise<Result<void>>;
  /** What became of hooks, whatever the project. */
  hookLog(): Promise<HookLog>;
  /** What the project's memory weighs, and how its client knows of it. */
  inventory(): Promise<Inventory>;
  /** The files by which clients find Holdfast. */
  setup(): Promise<Setup>;
  /** Serves MCP on standard input and output for as long as there is a client. */
  serve(): Promise<void>;
  /** The project's documents, commits and code as they are now. */
  projectState(): Promise<ProjectState>;
  /** How the project relates to others of the map, as its manifests and its repository tell. */
  relationsFound(map: WorkspaceMap['projects']): Promise<readonly FoundRelation[]>;
  /** Puts the line that loads a file at every start into the project's CLAUDE.md, or takes it out. */
  masterImport(file: string, wish: 'add' | 'remove'): Promise<Result<{ readonly file: string; readonly changed: boolean }>>;
  /** Shows how far something long has come, in place of what was shown before; only a terminal shows it. */
  readonly progress?: (text: string) => void;
}

export type Caller = 'person' | 'script' | 'agent';

/** The ways by which Claude Code can have been told of Holdfast: its plugin, or the hooks of `init`. */
export type ClientSetUp = 'plugin' | 'hooks';

export interface Inventory {
  readonly bytes: { readonly records: number; readonly history: number; readonly index: number; readonly conversations: number };
  readonly claudeCode: readonly ClientSetUp[];
}

/** Setting a client up and taking that back; nothing is changed before it was shown. */
export interface Setup {
  /** Whether what goes into the project's own files means something on other machines. */
  readonly portable: boolean;
  /** With the short commands and their agents, for all projects or for this one, or without them. */
  plan(commands?: 'everywhere' | 'here'): Result<readonly FileEdit[]>;
  removal(): Result<readonly FileEdit[]>;
  diff(edit: FileEdit): string;
  /** False where there is nobody to ask. */
  confirm(shown: string, question: string): Promise<boolean>;
  apply(edits: readonly FileEdit[], removes: boolean): Promise<Result<void>>;
}

/** What came back from the editor. */
export interface Edited {
  readonly text: string;
  /** Where it lies until it is saved: a refusal must not cost its owner the work. */
  readonly keptAt: string;
  discard?(): void;
}

/** The outside as a command meets it. */
export interface Surroundings extends Cli {
  /** The same, with another project in place of the one that `--project` names. */
  elsewhere(project: string): Cli;
}

/** A setting as it is in force, and the file that was changed. */
export interface Setting {
  readonly value: unknown;
  readonly file: string;
}

/** Configuration, for the one command that changes it. */
export interface Settings {
  list(): readonly { readonly key: string; readonly value: unknown; readonly source: string }[];
  get(key: string): Result<{ readonly value: unknown; readonly source: string; readonly about: string; readonly takes: string }>;
  /** Whether only a person at a terminal may change it. */
  isByPerson(key: string): boolean;
  set(key: string, value: string, level: 'user' | 'project'): Result<Setting> | Promise<Result<Setting>>;
  unset(key: string, level: 'user' | 'project'): Result<Setting> | Promise<Result<Setting>>;
  warnings(): readonly string[];
}

export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  red(text: string): string;
}
