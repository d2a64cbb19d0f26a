import { readRedacted } from '../read/redacted.ts';
import type { ConversationDigest, KnownFailure } from '../../core/ports/episodes.ts';
import type { AgentAction } from '../../core/rules/actions.ts';
import type { InjectionLog } from '../../core/ports/injection-log.ts';
import type { ExchangeIndex } from '../../recall/exchange/port.ts';
import type { RankRecords } from '../../recall/gate/port.ts';
import type { Memory } from '../memory/memory.ts';
import type { FileRef, StoredFile } from '../../core/ports/store.ts';
import { hasConflictMarkers } from '../../core/record/conflict-markers.ts';

/** The work in progress of a session before a compaction. */
export interface SessionWork {
  /** The user's last request. */
  readonly asked?: string;
  readonly files: readonly string[];
}

export interface LayerText {
  readonly text: string;
  readonly mtimeMs: number;
}

/** What recall and the brief use besides the project's memory. */
export interface RecallContext {
  readonly log: InjectionLog;
  /** Ranks records for a prompt. */
  readonly ranking: RankRecords;
  /** The user's own memory, where there is one. */
  readonly user?: Memory;
  readonly branch?: string;
  /** Files open in the work, the last one first. */
  readonly open?: readonly string[];
  /** When a file of the project was last changed, epoch milliseconds. */
  readonly changedAt: (path: string) => number | undefined;
  /** The map of the user's projects. */
  readonly workspace: () => Promise<string | undefined>;
  /** The text of a memory file: the one for all projects in the home, or one of the project's folder. */
  readonly layer: (file: 'MEMORY.md' | 'CLAUDE.md' | 'memory/MEMORY.md') => LayerText | undefined;
  /** How the reader can ask for more: the server's tools, or the command line. */
  readonly asksBy?: 'tools' | 'commands';
  /** How the user opens the inbox, if not on the command line. */
  readonly inbox?: string;
  /** Why commands of a kind failed before, newest first. */
  readonly failures: (action: AgentAction) => readonly KnownFailure[];
  /** Sentences in which the user may have said how work is to be done. */
  readonly typedRules: () => ConversationDigest['rules'];
  /** The digest of the conversations that were imported. */
  readonly conversations: () => ConversationDigest;
  /** The conversations as exchanges that can be quoted; undefined if there are none or they cannot be read. */
  readonly exchanges?: () => ExchangeIndex | undefined;
  readonly workOf?: (session: string) => Promise<SessionWork | undefined>;
}

/** A file without secrets, for an agent; undefined if git left conflict markers in it. */
export async function readSettled(memory: Pick<Memory, 'store' | 'index'>, place: FileRef): Promise<StoredFile | undefined> {
  const file = await readRedacted(memory, place);
  return file && !hasConflictMarkers(file.text) ? file : undefined;
}
