import { userText } from '../../capture/transcripts/claude-code/content.ts';
import type { RunningProcess } from '../../core/ports/host.ts';
import type { SessionStates, TypedNote } from '../../core/ports/session-states.ts';
import { redact } from '../../core/redact/text.ts';
import type { HookCall } from '../hooks/call.ts';
import { isSaveRequest } from '../hooks/save-request.ts';

const MAX_PROMPTS = 20;
const MAX_PROMPT_LENGTH = 8_000;
/** Process ids are used again, and not every system tells when a process began. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

/** The note of a client's process, for clients that do not name the session of a call. */
const noteOfClient = ({ pid }: RunningProcess): string => `client-${pid}`;

export interface PromptNoteContext {
  readonly notes: SessionStates;
  /** The client's process, which started the hook. */
  readonly parent: RunningProcess;
  readonly now: number;
}

/**
 * Stores the user's prompts for the client's server, which checks a save's quotes against them. Leaves out prompts of subagents, which the parent agent
 * wrote, and Holdfast's own requests, which some clients report as prompts.
 */
export function noteTypedPrompt({ session, prompt = '', transcript, agentId }: HookCall, { notes, parent, now }: PromptNoteContext): void {
  if (session === undefined || agentId !== undefined || isSaveRequest(prompt)) return;
  const text = redact(userText(prompt)).text.slice(0, MAX_PROMPT_LENGTH);
  if (text.trim() === '') return;
  const earlier = notes.read(session).typed?.prompts ?? [];
  const typed: TypedNote = {
    session,
    client: parent,
    at: now,
    prompts: [...earlier, text].slice(-MAX_PROMPTS),
    ...(transcript !== undefined && { transcript }),
  };
  for (const note of [session, noteOfClient(parent)]) notes.change(note, { typed });
}

export interface TypedQuery {
  /** The session of the call, where the client names it. */
  readonly session: string | undefined;
  /** The process that started the server. */
  readonly parent: RunningProcess;
  readonly now: number;
}

/** The prompts of the session that a call names, or of the last session of the client that started the server. */
export function findTypedPrompts(notes: SessionStates, { session, parent, now }: TypedQuery): TypedNote | undefined {
  if (session !== undefined) return notes.read(session).typed;
  const { typed } = notes.read(noteOfClient(parent));
  return typed && typed.client.began === parent.began && now - typed.at < MAX_AGE_MS ? typed : undefined;
}
