import type { Client, Message, SessionFacts } from '../episode/episode.ts';
import type { AgentAction } from '../rules/actions.ts';

/** The client's summary of a conversation that it compacted: not a message, but kept beside them. */
export interface Compaction {
  readonly id: string;
  readonly at?: string;
  readonly compaction: string;
  readonly forgotten?: true;
}

/** One thing an episode holds. */
export type EpisodeEntry = Message | Compaction;

export const isMessage = (entry: EpisodeEntry): entry is Message => 'role' in entry;

/** The part of one session that one step of an import brings. */
export interface EpisodePart {
  readonly facts: SessionFacts;
  /** The transcript it came from. */
  readonly source: string;
  readonly entries: readonly EpisodeEntry[];
}

/** The parts of one project, with the room that its archive has. */
export interface ProjectBatch {
  readonly key: string;
  readonly archiveBytes: number;
  readonly parts: readonly EpisodePart[];
}

/** The result for a project's parts. */
export interface StoredBatch {
  readonly key: string;
  readonly messages: number;
  /** Known already, in this or another transcript. */
  readonly repeated: number;
  /** Known already and now fuller. */
  readonly grown: number;
  /** Sessions that something was added to. */
  readonly sessions: readonly string[];
  /** The index had been lost and was made again from the archive: transcripts whose text is not in there have to be read once more. */
  readonly remade: boolean;
}

/** Stores batches; `settle` makes them durable. */
export interface EpisodeKeeper {
  take(batches: readonly ProjectBatch[]): Promise<readonly StoredBatch[]>;
  /** When it returns, everything taken so far survives a crash. Names the sessions whose text left the archive to make room. */
  settle(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** The texts of a project's episodes: one file a session, that mostly grows. */
export interface EpisodeArchive {
  /** Lines as they are stored; made beside other work. */
  pack(lines: readonly string[]): Promise<Uint8Array>;
  /** Writes packed lines behind the first `length` bytes of a session's file; what lay beyond was never acknowledged. Returns the new length. */
  append(name: string, length: number, packed: Uint8Array): number;
  /** Returns when everything appended is on the disk. */
  settle(): Promise<void>;
  /** The lines of a session's file, one append after the other, and where each ends; damaged ones are passed over. */
  blocks(name: string, length?: number): Iterable<{ readonly lines: readonly string[]; readonly end: number }>;
  /** Puts packed lines in the place of a session's file, all of them or none; they are on the disk when it returns. */
  replace(name: string, packed: Uint8Array): void;
  remove(name: string): void;
  /** Every session that has a file. */
  names(): readonly string[];
}

/** The state of a transcript after the last import. */
export interface SourceState {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  /** Absent when it is no transcript of a known client. */
  readonly client?: Client;
  /** Where the next import goes on, and the number of lines before that place. */
  readonly offset: number;
  readonly line: number;
  /** Digest of the bytes before the offset: tells an appended file from another one of the same name. */
  readonly anchor: string;
}

/** Which transcripts were read how far, and which project each session belongs to; one for all projects. */
export interface TranscriptSources {
  state(path: string): SourceState | undefined;
  note(states: readonly SourceState[]): void;
  /** All transcripts are read again from their start; messages that are known stay single. */
  forget(): void;
  projectOf(sessionId: string): string | undefined;
  /** Gives a session to a project; the first one to ask keeps it. */
  claim(sessionId: string, key: string): string;
  /** Moves a session to a project, from any other. */
  give(sessionId: string, key: string): void;
  /** Session ids that begin like this. */
  like(prefix: string, limit: number): readonly string[];
}

/** A line that was left out because it would not fit into memory. */
export const TOO_LONG = Symbol('too long');

/** A line as far as a reader needs it: a text is one, and so is one that is not decoded yet. Places in it are its own. */
export interface TranscriptText {
  readonly length: number;
  indexOf(text: string, from?: number): number;
  lastIndexOf(text: string, from?: number): number;
  includes(text: string, from?: number): boolean;
  endsWith(text: string): boolean;
  slice(from: number, to?: number): string;
  toString(): string;
}

/** One transcript, read line by line. */
export interface TranscriptLines {
  /** The next line without its newline, undefined at the end. */
  next(): string | typeof TOO_LONG | undefined;
  /** The same, undecoded: it holds until the one after it is asked for. */
  look(): TranscriptText | typeof TOO_LONG | undefined;
  /** Where the line given last begins, and where the one after it does. */
  readonly start: number;
  readonly end: number;
  /** False for a last line without a newline, which may still be growing. */
  readonly whole: boolean;
  /** Digest of the bytes that lie before a place. */
  anchor(place: number): string;
  close(): void;
}

export interface TranscriptFile {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
}

export interface Transcripts {
  open(path: string, from: number): TranscriptLines;
}

/** Finds transcripts on this machine. */
export interface TranscriptFinder {
  /** The files behind paths that were named, oldest first, and the paths that lead nowhere. */
  at(paths: readonly string[]): { readonly files: readonly TranscriptFile[]; readonly missing: readonly string[] };
  /** All that the clients of this machine keep, or what Claude Code keeps of one project. */
  ofClients(projectPath?: string): readonly TranscriptFile[];
  /** The transcript files that Claude Code wrote for one session of a project. */
  ofSession(projectPath: string, sessionId: string): TranscriptFile | undefined;
}

/** A conversation as a brief names it. */
export interface NewestSession {
  readonly id: string;
  /** Its own, or its first prompt. */
  readonly title: string;
  /** Empty if none is known. */
  readonly branch: string;
  /** Epoch milliseconds. */
  readonly endedAt: number;
}

/** A digest of a project's conversations, for the start of the next one. */
export interface ConversationDigest {
  /** Newest first. */
  readonly sessions: readonly NewestSession[];
  /** The agent's last messages in the newest of them, the last one first. */
  readonly answers: readonly { readonly session: string; readonly endedAt: number; readonly texts: readonly string[] }[];
  /** Sentences in which the user may have said how work is to be done; `newer` is how many sessions came after, `began` when its session did: copies of a session began with it. */
  readonly rules: readonly { readonly text: string; readonly weight: number; readonly at: number; readonly newer: number; readonly began?: number }[];
}

/** A session as the index knows it. */
export interface StoredSession {
  readonly unit: number;
  readonly facts: SessionFacts;
  /** Name of its file in the archive, and how much of that file counts. */
  readonly archive: string;
  readonly archiveBytes: number;
  /** Some of its text was given up to make room. */
  readonly dropped: boolean;
  readonly source: string;
  readonly messages: number;
  readonly prompts: number;
  /** Where its next chunk begins. */
  readonly nextPlace: number;
}

/** A message as it goes into the index. */
export interface NewEpisodeEntry {
  /** An earlier version of it is there and goes. */
  readonly known: boolean;
  readonly id: string;
  readonly role: Message['role'] | 'compaction';
  /** Characters: of two versions of an entry the fuller one is kept. */
  readonly size: number;
  readonly at?: number;
  readonly speaker?: string;
  readonly asks?: boolean;
  readonly files: readonly string[];
  readonly commands: readonly string[];
}

/** A piece of a message and the terms it is found by. */
export interface NewChunk {
  readonly id: number;
  readonly text: string;
  readonly messageId?: string;
  readonly terms: readonly string[];
  /** The agent's thinking: found by search, but never quoted. */
  readonly thought?: true;
}

/** Why a command failed, in the words that the agent found for it. */
export interface CommandFailure {
  readonly action: AgentAction;
  /** The message that names the cause. */
  readonly messageId: string;
  readonly at?: string;
  readonly cause: string;
  /** How plainly the cause is named, from 1 on. */
  readonly score: number;
}

/** The same as the index knows it. */
export interface KnownFailure {
  readonly session: string;
  readonly messageId: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly cause: string;
  readonly score: number;
}

/** A sentence in which the user may have stated how work is to be done, and how much speaks for that. */
export interface TypedRule {
  readonly messageId: string;
  readonly text: string;
  readonly weight: number;
}

/** The additions of one part to a session in the index. */
export interface EpisodeAddition {
  readonly entries: readonly NewEpisodeEntry[];
  readonly chunks: readonly NewChunk[];
  readonly rules: readonly TypedRule[];
  /** Where the session's next chunk begins. */
  readonly nextPlace: number;
  /** Terms that count for the session's length. */
  readonly size: number;
  /** Words as they are spelled, for those that are misspelt. */
  readonly words: ReadonlySet<string>;
  /** Something in it was committed to a repository. */
  readonly committed?: boolean;
  readonly failures?: readonly CommandFailure[];
}

export interface EpisodeChange {
  session(id: string): StoredSession | undefined;
  begin(facts: SessionFacts, source: string, archive: string): StoredSession;
  /** Takes in what is told of a session; a source is noted where none is known. */
  facts(unit: number, facts: SessionFacts, source: string): void;
  /** The sizes of those of the entries that are known. */
  sizes(unit: number, ids: readonly string[]): ReadonlyMap<string, number>;
  put(unit: number, addition: EpisodeAddition): void;
  archived(unit: number, bytes: number): void;
  /** Oldest first. */
  oldest(limit: number): readonly StoredSession[];
  dropText(unit: number): void;
  /** Whether it holds all of the archive from now on; if not, the next open rebuilds it. */
  whole(is: boolean): void;
  /** Forgets everything, so that the disk does not hold it any longer either. */
  clear(): void;
}

/** A message and the session or commit that it stands in. */
export interface MessageOfSession {
  readonly messageId: string;
  readonly sessionId: string;
}

/** The index of a project's episodes: derived from the archive and the transcripts, and rebuilt if it is lost. */
export interface EpisodeIndex {
  /** Begins a change, as the one writer; all of it becomes visible at `commit`. */
  begin(): EpisodeChange;
  commit(): void;
  rollback(): void;
  session(id: string): StoredSession | undefined;
  /** Newest first, without commits. */
  sessions(limit: number): readonly StoredSession[];
  /** Commits whose unit's id begins like this. */
  commitsLike(prefix: string, limit: number): readonly StoredSession[];
  newestCommit(): StoredSession | undefined;
  /** Messages whose id begins like this, whole ids first, those of the newest sessions first. */
  messagesLike(prefix: string, limit: number): readonly MessageOfSession[];
  /** The messages of a unit, as far as the index holds them. */
  textOf(unit: number): string;
  archivedBytes(): number;
  /** False if it was created empty and lacks the content of the archive. */
  isWhole(): boolean;
  close(): void;
}
