import type { HookCall } from '../../app/hooks/call.ts';
import { isFile } from './is-file.ts';
import { noteLeft, noteServed } from './served.ts';
import { type FinishRequest, spawnFinish } from './spawn-finish.ts';

const isSame = (one: FinishRequest, other: FinishRequest): boolean =>
  one.session === other.session && one.cwd === other.cwd && one.transcript === other.transcript;

/** The session that a server is asked about. What it leaves behind is taken in when another session follows it, or when the client is gone. */
export class Serving {
  readonly #home: string;
  readonly #env: Readonly<Record<string, string | undefined>>;
  #current: FinishRequest | undefined;
  #isFinishing = false;
  /** What came up while a process was still at work. */
  #waiting: readonly FinishRequest[] = [];

  constructor(home: string, env: Readonly<Record<string, string | undefined>>) {
    this.#home = home;
    this.#env = env;
  }

  saw({ session, transcript }: HookCall, cwd: string): void {
    if (session === undefined) return;
    const isNew = session !== this.#current?.session;
    if (isNew) this.#finish();
    const path = transcript ?? this.#current?.transcript;
    this.#current = { home: this.#home, cwd, session, ...(path !== undefined && { transcript: path }) };
    if (isNew) noteServed(this.#home, session);
  }

  /** The client is gone: nobody is left to wait for a process that still runs. */
  leave(): void {
    const session = this.#current?.session;
    const ended = this.#ended();
    if (ended) spawnFinish(ended, this.#env);
    if (session !== undefined) noteLeft(this.#home, session);
  }

  /** One process at a time, however fast sessions and compactions follow each other; what waits already is not asked for twice. */
  later(request: FinishRequest): void {
    if (!this.#isFinishing) this.#start(request);
    else if (!this.#waiting.some((waiting) => isSame(waiting, request))) this.#waiting = [...this.#waiting, request];
  }

  #finish(): void {
    const ended = this.#ended();
    if (ended) this.later(ended);
  }

  /** A session that was never written down has left nothing. */
  #ended(): FinishRequest | undefined {
    const ended = this.#current;
    this.#current = undefined;
    return ended?.transcript !== undefined && isFile(ended.transcript) ? ended : undefined;
  }

  #start(request: FinishRequest): void {
    this.#isFinishing = true;
    let isOver = false;
    spawnFinish(request, this.#env, () => {
      // A process that fails may say so and exit as well.
      if (isOver) return;
      isOver = true;
      this.#isFinishing = false;
      const [next, ...rest] = this.#waiting;
      this.#waiting = rest;
      if (next) this.#start(next);
    });
  }
}
