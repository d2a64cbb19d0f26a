import { userText } from '../../capture/transcripts/claude-code/content.ts';
import type { RunningProcess } from '../../core/ports/host.ts';
import type { SessionStates, TypedNote } from '../../core/ports/session-states.ts';
import { redact } from '../../core/redact/text.ts';
import type { HookCall } from '../hooks/call.ts';
import { isSaveRequest } from '../hooks/save-request.ts';

const MOST = 20;
const LONGEST = 8_000;
/** Process numbers are used again, and not every system tells when a process began. */
const FRESH_MS = 24 * 60 * 60 * 1000;

/** The note that a client's process has beside those of its sessions: not every client names the session of a call. */
const noteOfClient = ({ pid }: RunningProcess): string => `client-${pid}`;

export interface PromptListener {
  readonly notes: SessionStates;
  /** The process of a client that marks its agents' shells; it started the hook. */
  readonly parent: RunningProcess;
  readonly now: number;
}

/**
 * Keeps the user's prompts for the client's server, which looks there for the words that a save quotes. Leaves out prompts of subagents, whose author is the
 * parent agent, and Holdfast's own requests, which some clients report as prompts.
 */
export function noteTyped({ session, prompt = '', transcript, agentId }: HookCall, { notes, parent, now }: PromptListener): void {
  if (session === undefined || agentId !== undefined || isSaveRequest(prompt)) return;
  const words = redact(userText(prompt)).text.slice(0, LONGEST);
  if (words.trim() === '') return;
  const before = notes.read(session).typed?.prompts ?? [];
  const typed: TypedNote = { session, client: parent, at: now, prompts: [...before, words].slice(-MOST), ...(transcript !== undefined && { transcript }) };
  for (const note of [session, noteOfClient(parent)]) notes.change(note, { typed });
}

export interface TypedQuery {
  /** The session of the call, where the client names it. */
  readonly session: string | undefined;
  /** The process that started the server. */
  readonly parent: RunningProcess;
  readonly now: number;
}

/** The prompts of the calling session: the session that it names, or the last one of the client that started the server. */
export function typedFor(notes: SessionStates, { session, parent, now }: TypedQuery): TypedNote | undefined {
  if (session !== undefined) return notes.read(session).typed;
  const { typed } = notes.read(noteOfClient(parent));
  return typed && typed.client.began === parent.began && now - typed.at < FRESH_MS ? typed : undefined;
}
