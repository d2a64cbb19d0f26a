import type { Processes, RunningProcess } from '../../core/ports/host.ts';
import type { BackgroundWork, SessionMachine } from '../../core/ports/machine.ts';
import type { SessionNote, SessionStates } from '../../core/ports/session-states.ts';
import type { HookCall } from '../hooks/call.ts';
import type { BackgroundQueue } from './background-queue.ts';

type OwnerMachine = Pick<SessionMachine, 'processes' | 'startBackground' | 'isFile'>;

/** Whether a running server has claimed a session. */
export const hasLiveServer = ({ server }: SessionNote, processes: Processes): boolean =>
  server !== undefined && server.released !== true && processes.isRunning(server);

/** Whether a server finishes a session, or has started that before it left; one that was killed has not. */
export const isFinishedByServer = (note: SessionNote, processes: Processes): boolean => note.server?.released === true || hasLiveServer(note, processes);

/**
 * Claims the session whose events a server answers in the session's note, and finishes it when another session follows or when the client exits. A hook
 * writes that note only before the server's first event, so that neither overwrites the other.
 */
export class SessionOwner {
  readonly #machine: OwnerMachine;
  readonly #background: BackgroundQueue;
  readonly #self: RunningProcess;
  #current: (BackgroundWork & { readonly session: string; readonly notes: SessionStates }) | undefined;

  constructor(machine: OwnerMachine, background: BackgroundQueue) {
    this.#machine = machine;
    this.#background = background;
    this.#self = machine.processes.self;
  }

  /** Claims the session of an event and finishes the one before it. Returns whether the session is new to this server. */
  claimSession({ session, transcript }: HookCall, cwd: string, notes: SessionStates): boolean {
    if (session === undefined) return false;
    const isNew = session !== this.#current?.session;
    if (isNew) this.#finishCurrent();
    const path = transcript ?? this.#current?.transcript;
    this.#current = { cwd, session, notes, ...(path !== undefined && { transcript: path }) };
    // Without the note, the hook at the end finishes the session.
    if (isNew) ignoringErrors(() => notes.change(session, { server: this.#self }));
    return isNew;
  }

  /** Finishes the session of a client that has exited, without waiting for a background process that still runs. */
  releaseSession(): void {
    const current = this.#current;
    const work = this.#takeWork();
    if (work) this.#machine.startBackground(work);
    // A client may write a short session's transcript after its servers have ended: then the hook at the end finishes the session.
    if (current) ignoringErrors(() => this.#release(current.notes, current.session, work !== undefined));
  }

  #release(notes: SessionStates, session: string, isFinished: boolean): void {
    // The session may have been started again meanwhile, which took the claim away.
    if (notes.read(session).server?.pid !== this.#self.pid) return;
    notes.change(session, { server: isFinished ? { ...this.#self, released: true } : undefined });
  }

  #finishCurrent(): void {
    const work = this.#takeWork();
    if (work) this.#background.add(work);
  }

  /** What finishes the current session; undefined if it has no transcript. */
  #takeWork(): BackgroundWork | undefined {
    const ended = this.#current;
    this.#current = undefined;
    if (ended?.transcript === undefined || !this.#machine.isFile(ended.transcript)) return undefined;
    return { cwd: ended.cwd, session: ended.session, transcript: ended.transcript };
  }
}

/** Events are answered even when the home cannot be written. */
function ignoringErrors(work: () => void): void {
  try {
    work();
  } catch {
    return;
  }
}
