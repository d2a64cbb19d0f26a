import { utcSeconds } from '../../core/instant.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { renderSession, type OpenSession, type PastSession } from '../../render/documents/session-file.ts';
import type { Memory } from '../memory/memory.ts';
import { writing, type Author } from '../write/transaction.ts';
import { counted, readSession, SESSION_PLACE } from './file.ts';

export interface StopRequest extends Author {
  /** Ends this session and leaves the others open; without one all of them end. */
  readonly sessionId?: string | undefined;
}

export interface Stopped {
  readonly status: 'stopped' | 'already_inactive';
  readonly ended: readonly PastSession[];
  /** Parallel sessions that go on. */
  readonly open: readonly OpenSession[];
  readonly warnings: readonly string[];
}

/** Ends the sessions of a project: each gets its row in the archive, every file stays. */
export function stopSession(memory: Memory, request: StopRequest): Promise<Result<Stopped>> {
  return writing(memory, request, async (write) => {
    const { session, damaged } = await readSession(memory);
    if (damaged !== undefined)
      return refuse('READ_ERROR', `${SESSION_PLACE.path} cannot be read.`, {
        hint: 'fix it in an editor, or start over with holdfast start, which keeps a copy',
      });
    const ending = session.open.filter(({ id }) => request.sessionId === undefined || id === request.sessionId);
    if (request.sessionId !== undefined && ending.length === 0 && session.open.length > 0)
      return refuse('NOT_FOUND', `No session ${request.sessionId} is open.`, { missing: true, hint: 'holdfast status lists the open sessions' });
    const open = session.open.filter((one) => !ending.includes(one));
    if (ending.length === 0) return ok({ status: 'already_inactive', ended: [], open, warnings: write.warnings });
    const now = utcSeconds(memory.now());
    const ended = ending.map((one) => ({ ...one, ended: now < one.started ? one.started : now }));
    const last = ended.at(-1);
    await write.state(
      SESSION_PLACE,
      renderSession({ ...counted(memory, session), open, history: [...session.history, ...ended], lastActivity: now, ...(last && { last }) }),
    );
    return ok({ status: 'stopped', ended, open, warnings: write.warnings });
  });
}
