import type { Processes, RunningProcess } from '../../core/ports/host.ts';
import type { BackgroundWork, SessionMachine } from '../../core/ports/machine.ts';
import type { SessionNote, SessionStates } from '../../core/ports/session-states.ts';
import type { HookCall } from '../hooks/call.ts';

type OwnerMachine = Pick<SessionMachine, 'processes' | 'startBackground' | 'isFile'>;

/** Whether a server that runs now has been asked about a session. */
export const hasLiveServer = ({ server }: SessionNote, processes: Processes): boolean =>
  server !== undefined && server.released !== true && processes.isRunning(server);

/** Whether a server finishes a session, or has started that before it left; one that was killed has not. */
export const isFinishedByServer = (note: SessionNote, processes: Processes): boolean => note.server?.released === true || hasLiveServer(note, processes);

const isSame = (one: BackgroundWork, other: BackgroundWork): boolean =>
  one.session === other.session && one.cwd === other.cwd && one.transcript === other.transcript && one.onlyViews === other.onlyViews;

/**
 * The session that a server is asked about. The server claims it in the session's note and finishes it when another session follows or when the client
 * leaves. A hook writes that note only before the server's first event, so that neither overwrites the other.
 */
export class SessionOwner {
  readonly #machine: OwnerMachine;
  readonly #self: RunningProcess;
  #current: (BackgroundWork & { readonly session: string; readonly notes: SessionStates }) | undefined;
  #isFinishing = false;
  /** Requests that came while a process was at work. */
  #waiting: readonly BackgroundWork[] = [];

  constructor(machine: OwnerMachine) {
    this.#machine = machine;
    this.#self = machine.processes.self;
  }

  /** Whether it is the first event of its session here. */
  saw({ session, transcript }: HookCall, cwd: string, notes: SessionStates): boolean {
    if (session === undefined) return false;
    const isNew = session !== this.#current?.session;
    if (isNew) this.#finish();
    const path = transcript ?? this.#current?.transcript;
    this.#current = { cwd, session, notes, ...(path !== undefined && { transcript: path }) };
    // Without the note, the hook at the end finishes the session.
    if (isNew) quietly(() => notes.change(session, { server: this.#self }));
    return isNew;
  }

  /** The client has exited; do not wait for a process that still runs. */
  leave(): void {
    const current = this.#current;
    const ended = this.#ended();
    if (ended) this.#machine.startBackground(ended);
    // A client may write a short session's transcript after its servers have ended: then the hook at the end finishes the session.
    if (current) quietly(() => this.#release(current.notes, current.session, ended !== undefined));
  }

  /** One process at a time, however fast sessions and compactions follow each other; a request that waits already is not added again. */
  later(request: BackgroundWork): void {
    if (!this.#isFinishing) this.#start(request);
    else if (!this.#waiting.some((waiting) => isSame(waiting, request))) this.#waiting = [...this.#waiting, request];
  }

  #release(notes: SessionStates, session: string, isFinished: boolean): void {
    // The session may have been started again meanwhile, which took the claim away.
    if (notes.read(session).server?.pid !== this.#self.pid) return;
    notes.change(session, { server: isFinished ? { ...this.#self, released: true } : undefined });
  }

  #finish(): void {
    const ended = this.#ended();
    if (ended) this.later(ended);
  }

  /** Without a transcript there is nothing to finish. */
  #ended(): BackgroundWork | undefined {
    const ended = this.#current;
    this.#current = undefined;
    if (ended?.transcript === undefined || !this.#machine.isFile(ended.transcript)) return undefined;
    return { cwd: ended.cwd, session: ended.session, transcript: ended.transcript };
  }

  #start(request: BackgroundWork): void {
    this.#isFinishing = true;
    this.#machine.startBackground(request, () => {
      this.#isFinishing = false;
      const [next, ...rest] = this.#waiting;
      this.#waiting = rest;
      if (next) this.#start(next);
    });
  }
}

/** Answer events even when the home cannot be written. */
function quietly(work: () => void): void {
  try {
    work();
  } catch {
    return;
  }
}
