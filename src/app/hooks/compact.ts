import type { Message } from '../../core/episode/episode.ts';
import type { SessionNote } from '../../core/ports/session-states.ts';
import { type Episode, messagesIn } from '../episodes/read.ts';
import { type HookAnswer, type HookCall, SILENT } from './call.ts';
import { deferStart } from '../runtime/deferred-start.ts';
import { dialectOf } from './client-dialect.ts';
import type { HookContext } from './hook-context.ts';

const WRITE_TOOL = /^(?:Edit|MultiEdit|Write|NotebookEdit|apply_patch|write_file|replace)$/;

/** The files that an agent changed, in that order. */
export const changedFiles = (messages: readonly Message[]): string[] =>
  messages.flatMap(({ toolCalls = [] }) => toolCalls.filter(({ name }) => WRITE_TOOL.test(name)).flatMap(({ files }) => files));

const MAX_FILES = 12;
const REQUEST_LENGTH = 600;

/** Instructions for the client's summariser, so that its summary does not repeat the recovery. */
const SUMMARY_HINTS = `Keep in the summary: what the user asked for last and what is left to do; decisions with their reasons; approaches that failed and why; files being changed; errors not yet solved.
Leave out blocks marked holdfast-memory: memory gives them back after the compaction.`;

/** PreCompact: notes the current request and files before the client forgets them. */
export async function beforeCompact(
  { notes, switched, client, memory }: HookContext,
  call: HookCall,
  episodeOf: (transcript: string) => Promise<Episode | undefined>,
): Promise<HookAnswer> {
  const { session, transcript } = call;
  if (!switched.allows('load') || session === undefined) return SILENT;
  const episode = transcript === undefined ? undefined : await episodeOf(transcript);
  notes.change(session, { recovered: false, ...(episode && { work: workBeforeCompaction(episode) }) });
  if (!dialectOf(client).startsAfterCompaction) deferStart(notes, session, { source: 'compact', at: memory.now() });
  return { summaryHints: SUMMARY_HINTS };
}

/** The user's last request and the files changed recently, newest first. */
function workBeforeCompaction(episode: Episode): NonNullable<SessionNote['work']> {
  const messages = messagesIn(episode).filter(({ agentId }) => agentId === undefined);
  const lastRequest = messages.findLast(({ role }) => role === 'user')?.text;
  return {
    files: [...new Set(changedFiles(messages).toReversed())].slice(0, MAX_FILES),
    ...(lastRequest !== undefined && { asked: lastRequest.slice(0, REQUEST_LENGTH) }),
  };
}
