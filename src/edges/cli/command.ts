import type { Settings } from '../../app/config/settings.ts';
import type { DraftingService } from '../../app/drafting/service.ts';
import type { Embedding } from '../../app/embedding/place.ts';
import type { EmbedderSetup } from '../../core/ports/embedding.ts';
import type { TeamClient } from '../../app/sync/team-client.ts';
import type { BundleHost } from '../../app/bundle/host.ts';
import type { Episodes } from '../../app/episodes/episodes.ts';
import type { ExcludedSession } from '../../app/episodes/excluded.ts';
import type { MigrationSource } from '../../app/migrate/source.ts';
import type { Hierarchy } from '../../app/memory-files/layers.ts';
import type { CheckoutState } from '../../app/synthesis/gather.ts';
import type { ImportChange } from '../../app/synthesis/master-import.ts';
import type { ClientSetup } from '../../app/setup/apply.ts';
import type { SetupMethod } from '../../app/setup/detect.ts';
import type { Memory } from '../../app/memory/memory.ts';
import type { RecallContext } from '../../app/recall/recall-context.ts';
import type { FoundRelation } from '../../app/workspace/discover.ts';
import type { SearchRanker, SearchPlace } from '../../app/search/search.ts';
import type { HookLog } from '../../core/ports/hook-log.ts';
import type { SessionStates } from '../../core/ports/session-states.ts';
import type { Refusal, Result } from '../../core/result.ts';
import type { WorkspaceMap } from '../../render/documents/workspace.ts';

/** An option of a command. `value` is the placeholder of its value; without one it is a switch. */
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
  /** The arguments after the command's name, as the help shows them. */
  readonly positionals: string;
  /** The maximum number of arguments; unlimited if absent. */
  readonly most?: number;
  /** Whether it supports `--project all`. */
  readonly crosses?: true;
  readonly options: readonly Option[];
  readonly examples: readonly (readonly [line: string, about: string])[];
  run(cli: CommandContext, args: Arguments): Promise<CommandResult>;
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

/** The output of a command: one JSON document for scripts, lines for people. */
export interface CommandOutput {
  readonly json: unknown;
  /** A block before the lines that is fenced already. */
  readonly block?: string;
  readonly lines: readonly string[];
  /** Notes for stderr; not errors. */
  readonly warnings?: readonly string[];
  readonly exit?: number;
  /** Print one JSON document per line instead of one for all. */
  readonly stream?: boolean;
}

export type CommandResult = Result<CommandOutput, Refusal>;

export interface ProjectInfo {
  readonly key: string;
  readonly hash: string;
  readonly path: string;
  readonly privateRoot: string;
  /** The private root as shown to people: with ~ for the user's folder, and a slash at the end. */
  readonly shownRoot: string;
  readonly sharedRoot?: string;
  readonly home: string;
}

export interface OpenMemory extends SearchPlace {
  readonly memory: Memory;
  readonly project?: ProjectInfo;
}

/** Everything that a command uses outside itself; `bin` supplies it. */
export interface Cli {
  readonly paint: Paint;
  readonly cwd: string;
  /** The author in the journal: a person, or the agent whose shell runs the command. */
  readonly actor: 'command' | 'shell';
  /** The memory that `--home` and `--project` name; `user` is the user's own, whatever the project. Refused when there is no such project. */
  open(which?: 'project' | 'user'): Promise<OpenMemory>;
  /** Every project that has a memory, for `--project all`. */
  openAll(): Promise<readonly OpenMemory[]>;
  readonly crossesProjects: boolean;
  /** Ranks messages, several projects, and questions with misspelt words or times. */
  ranking(): Promise<SearchRanker>;
  readInput(fileOrDash: string): Promise<Result<string>>;
  /** Writes a new file, readable by its owner only, and returns its path. Never overwrites a file. */
  writeOutput(file: string, text: string): Promise<Result<string>>;
  /** Opens the user's editor on a text; undefined when nothing was changed. */
  edit(name: string, text: string): Promise<Result<EditorResult | undefined>>;
  /** Shows a text and a question on the terminal and waits for one of the keys; returns the last key without a terminal and at Ctrl-C. */
  key(shown: string, question: string, keys: string): Promise<string>;
  readonly version: string;
  /** The caller: a person at a terminal, a script without one, or an agent in its shell. */
  readonly caller: Caller;
  now(): number;
  settings(): Promise<Settings>;
  /** The log, the branch and the files that recall and the brief use with the memory. */
  recallContext(): Promise<RecallContext>;
  /** Conversations under the home, whatever the project. */
  episodes(): Promise<Episodes>;
  /** Sessions of the project with messages that `capture.exclude` excludes; `remove` deletes those messages. */
  excluded(remove: boolean): Promise<readonly ExcludedSession[]>;
  /** The client's id of the session that runs the command, if the client gives one. */
  readonly session?: string;
  /** The notes of hooks about the sessions of the project. */
  hookNotes(): Promise<SessionStates>;
  /** The four memory files of the project, and its MEMORY.md. */
  hierarchy(): Promise<Hierarchy>;
  /** The machine, for exporting, importing and joining memories. */
  bundleHost(): Promise<BundleHost>;
  /** Memories of other tools: those found for the project, or those at the paths. */
  foreign(paths: readonly string[]): Promise<Result<{ readonly sources: readonly MigrationSource[]; readonly hints: readonly string[] }>>;
  /** Makes drafts and summaries, with or without a model. */
  drafting(): Promise<DraftingService>;
  /** Embeds texts, if an embedder is configured; `patiently` retries for longer. */
  embedding(how?: 'patiently'): Promise<Embedding>;
  /** Installs and removes the sentence model. */
  embedder(): Promise<EmbedderSetup>;
  /** Answers an event of a client's session from standard input to standard output. */
  hook(event: string, client: string): Promise<Result<void>>;
  /** When hooks ran and failed, in any project. */
  hookLog(): Promise<HookLog>;
  /** The disk usage of the project's memory, and how Claude Code is set up. */
  inventory(): Promise<Inventory>;
  /** The files by which clients find Holdfast. */
  setup(): Promise<Setup>;
  /** Serves the web page of the home on loopback until it is ended. */
  view(request: { readonly port: number; readonly idleMinutes: number; readonly opens: boolean; readonly json: boolean }): Promise<Result<void>>;
  /** A file of the project as it was when it had this blob hash, and as it is; undefined if there is none. */
  fileVersions(path: string, blob: string): Promise<{ readonly before: string | undefined; readonly after: string | undefined }>;
  /** The servers that this machine is connected to. */
  team(): Promise<TeamClient>;
  /** Serves a team until it is ended. */
  teamServer(request: TeamServerRequest): Promise<CommandResult>;
  /** Serves MCP on standard input and output for as long as there is a client. */
  serve(): Promise<void>;
  /** The project's documents, commits and code as they are now. */
  projectState(): Promise<CheckoutState>;
  /** Relations to other projects of the workspace, from manifests and the repository. */
  relationsFound(map: WorkspaceMap['projects']): Promise<readonly FoundRelation[]>;
  /** Adds the line that loads a file at every start to the project's CLAUDE.md, or removes it. */
  masterImport(file: string, change: 'add' | 'remove'): Promise<Result<ImportChange>>;
  /** Shows progress in one line that is overwritten; only on a terminal. */
  readonly progress?: (text: string) => void;
}

/** The options of `holdfast server`. */
export interface TeamServerRequest {
  readonly host: string;
  readonly port: number;
  readonly database?: string;
  readonly isTrial: boolean;
  readonly onlyMigrates: boolean;
  readonly organisation?: { readonly name: string; readonly admin: string };
  /** Signing in at an OpenID Connect issuer; the secret comes from the environment. */
  readonly oidc?: { readonly issuer: string; readonly clientId: string; readonly publicUrl: string };
  readonly json: boolean;
}

export type Caller = 'person' | 'script' | 'agent';

export interface Inventory {
  readonly bytes: { readonly records: number; readonly history: number; readonly index: number; readonly conversations: number };
  readonly claudeCode: readonly SetupMethod[];
}

export interface Setup extends ClientSetup {
  /** Whether the project's files contain no paths of this machine. */
  readonly portable: boolean;
  /** False if there is no terminal to ask on. */
  confirm(shown: string, question: string): Promise<boolean>;
}

/** The text from the editor. */
export interface EditorResult {
  readonly text: string;
  /** The temporary file; it stays until the text is saved, so that a refusal loses no work. */
  readonly tempFile: string;
  discard?(): void;
}

/** The inputs of a command. */
export interface CommandContext extends Cli {
  /** The context for another project. */
  elsewhere(project: string): Cli;
}

export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  red(text: string): string;
}
