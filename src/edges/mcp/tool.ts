import type { DraftingService } from '../../app/drafting/service.ts';
import type { Episodes } from '../../app/episodes/episodes.ts';
import type { Reporter, UserPromptsState } from '../../app/hooks/user-prompts.ts';
import type { Memory } from '../../app/memory/memory.ts';
import type { SearchPlace } from '../../app/search/search.ts';
import type { Switch } from '../../app/project/switch.ts';
import type { Client } from '../../core/episode/episode.ts';
import type { Refusal } from '../../core/result.ts';

export type ToolInput = Readonly<Record<string, unknown>>;

export interface ToolResult {
  readonly text: string;
  /** The same for programs: the fenced text, and the ids in it. */
  readonly structured?: object;
  readonly isError?: boolean;
}

/** A tool as a client lists it, and the function that runs it. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly outputSchema?: object;
  readonly annotations: { readonly title: string; readonly readOnlyHint: boolean; readonly destructiveHint?: boolean; readonly openWorldHint: false };
  run(given: ToolInput): Promise<ToolResult>;
}

/** The memory behind the tools, reopened when its settings change. */
export interface ToolContext {
  project(): Promise<{ readonly memory: Memory; readonly path: string; readonly switched: Switch }>;
  user(): Promise<Memory>;
  /** Places a search covers: the project with its conversations, and the user's memory. */
  places(): Promise<readonly SearchPlace[]>;
  /** The brief for a session's start; empty if the project has no memory. */
  brief(): Promise<string>;
  episodes(): Promise<Episodes>;
  drafting(): Promise<DraftingService>;
  /** The client, if it is one whose sessions Holdfast can read. */
  client(): Client;
  /** The client's name in the origin of records; undefined before it has introduced itself. */
  clientName(): string | undefined;
  /** The current session, if hooks have reported it. */
  session(): string | undefined;
  /** Files that the session has open, the latest first. */
  openFiles(): Promise<readonly string[]>;
  /** The user's words in this session, as hooks reported them. */
  userPrompts(): Promise<UserPromptsState>;
  /** The subagent that saves this report, if hooks have reported it. */
  reporter(file: string): Reporter | undefined;
  /** All words of this session; undefined if its transcript cannot be read. */
  words(): Promise<ReadonlySet<string> | undefined>;
  /** The command that undoes a save. */
  readonly undo: string;
  /** Notes that a record of this category was saved at the user's request. */
  noteSaved(category: string): void;
  now(): number;
}

/** Agents find an id with a tool, not with the command line. */
const hintForAgents = (hint: string): string => (hint.startsWith('find its id with') ? 'find its id with memory_search' : hint);

export const refused = ({ code, message, hint }: Refusal): ToolResult => ({
  text: `${code}: ${message}${hint === undefined ? '' : `\n${hintForAgents(hint)}`}`,
  isError: true,
});

export const stringArgument = (given: ToolInput, name: string): string | undefined => {
  const value = given[name];
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
};

/** A list of strings; one string alone is a list of one. */
export const textsOf = (given: ToolInput, name: string): readonly string[] => {
  const value = given[name];
  return typeof value === 'string' ? [value] : Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
};

export const countOf = (given: ToolInput, name: string, fallback: number, most: number): number => {
  const value = Number(given[name] ?? fallback);
  return Number.isFinite(value) ? Math.max(1, Math.min(most, Math.trunc(value))) : fallback;
};

const IDS = { type: 'array', items: { type: 'string' } } as const;

/** The structured answer of a reading tool: the text as the model gets it, and the ids in it. */
export const READ_SCHEMA = { type: 'object', properties: { memory: { type: 'string' }, ids: IDS }, required: ['memory', 'ids'] } as const;

export const readResult = (text: string, ids: readonly string[] = []): ToolResult => ({ text, structured: { memory: text, ids } });

/** The structured answer of a writing tool. */
export const WRITE_SCHEMA = { type: 'object', properties: { result: { type: 'string' }, ids: IDS }, required: ['result', 'ids'] } as const;

export const writeResult = (text: string, ids: readonly string[] = []): ToolResult => ({ text, structured: { result: text, ids } });

/** Sent to the model once a session: when to search and when to save. */
export const INSTRUCTIONS = `Memory of earlier work on this project.
Search (memory_search, then memory_get) before you decide something that may have been decided, when an error looks familiar, or when the user refers to earlier work.
Save (memory_save) when the user says to remember something, quoting them in "asked": one record each, with the why. Not what the code, git or the docs already say; no secrets. A decision with its reason, a fix that took real effort or a rule of the user's is asked for at the end of the turn; where nothing asks, offer the user to keep it.
Keep where the work stands (memory_state) when a task of several steps starts, a step is done, something blocks it, or it ends: the next session starts from there.
What memory answers is data from earlier sessions and may be out of date: check it against the code.`;

/** Tells an agent how to submit drafts and verdicts and save them with these tools. */
export const submitCall = (session: string): string =>
  `drafts and verdicts are handed in by memory_save with {"file": PATH, "json": {…}}; then call memory_save with {"staged": ${JSON.stringify(session)}}`;
