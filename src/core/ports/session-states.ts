import type { UnconfirmedTrust } from '../trust/trust.ts';
import type { RunningProcess } from './host.ts';

/** The state of saving one batch of a session. */
export type SaveState = 'pending' | 'saving' | 'saved' | 'failed' | 'nothing';

/** The request to save at the end of a turn, and its result. */
export interface SaveNote {
  readonly state: SaveState;
  readonly flow: 'inline' | 'agents';
  readonly at: string;
  readonly categories: readonly string[];
  /** Where its drafts are expected. */
  readonly drafts?: readonly string[];
  /** For `inline`: the messages in which triage found matches, and their trust. */
  readonly messageIds?: readonly string[];
  readonly trust?: UnconfirmedTrust;
  /** The records that were saved, as `category/id`. */
  readonly records?: readonly string[];
  /** The user has been shown what was saved. */
  readonly announced?: boolean;
}

/** A subagent that is about to start, with its task. */
export interface TaskNote {
  readonly type: string;
  readonly task: string;
}

/** A session start whose brief the server injects with the first prompt. */
export interface StartNote {
  readonly source: string;
  readonly at: number;
  readonly told?: boolean;
}

/** The server that answers events of a session. */
export interface ServerNote extends RunningProcess {
  /** It ended, and has started the process that finishes the session. */
  readonly released?: boolean;
}

/** The user's prompts in a session, as noted by hooks that run as processes. The client's server reads them. */
export interface TypedNote {
  readonly session: string;
  /** The client, which started the hook and starts the server. */
  readonly client: RunningProcess;
  /** When the last prompt was typed, epoch milliseconds. */
  readonly at: number;
  readonly transcript?: string;
  /** Redacted, the newest last. */
  readonly prompts: readonly string[];
}

/** The state of a session that hooks store from one event to the next. */
export interface SessionNote {
  /** How far its transcript has been read, in bytes. */
  readonly seenTo?: number;
  /** The last reply that was triaged; a transcript may contain it only later. */
  readonly lastSeen?: string;
  /** The last content that the agent read came from outside: a page, a server, a dependency. */
  readonly afterOutside?: boolean;
  readonly save?: SaveNote;
  /** Fingerprints of lines that the agent was asked about, newest last. */
  readonly askedLines?: readonly string[];
  /** The agent was not asked during the session: its records are drafted when it ends. */
  readonly draftsAtEnd?: boolean;
  /** Files that its tools opened, the last one first. */
  readonly open?: readonly string[];
  readonly tasks?: readonly TaskNote[];
  /** Its transcript was imported and summarised at this size. */
  readonly finishedAt?: number;
  /** Whether a reply has shown the breadcrumb. */
  readonly breadcrumb?: boolean;
  /** Recovery was given and no reply has been written since. */
  readonly recovered?: boolean;
  /** The last compaction in the transcript after which recovery was given, for clients whose hooks report none. */
  readonly compaction?: string;
  /** The work in progress before the last compaction. */
  readonly work?: { readonly asked?: string; readonly files: readonly string[] };
  readonly start?: StartNote;
  readonly typed?: TypedNote;
  readonly server?: ServerNote | undefined;
}

export interface SessionStates {
  read(session: string): SessionNote;
  /** Changes some fields of the note; the others stay. */
  change(session: string, part: Partial<SessionNote>): void;
}
