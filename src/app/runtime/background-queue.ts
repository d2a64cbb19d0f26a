import type { BackgroundWork, SessionMachine } from '../../core/ports/machine.ts';

const isSame = (one: BackgroundWork, other: BackgroundWork): boolean =>
  one.session === other.session && one.cwd === other.cwd && one.transcript === other.transcript && one.onlyViews === other.onlyViews;

/** Runs one background process at a time, however fast sessions and compactions follow each other. */
export class BackgroundQueue {
  readonly #machine: Pick<SessionMachine, 'startBackground'>;
  #isRunning = false;
  #waiting: readonly BackgroundWork[] = [];

  constructor(machine: Pick<SessionMachine, 'startBackground'>) {
    this.#machine = machine;
  }

  /** Does nothing if the same work waits already. */
  add(work: BackgroundWork): void {
    if (!this.#isRunning) this.#start(work);
    else if (!this.#waiting.some((waiting) => isSame(waiting, work))) this.#waiting = [...this.#waiting, work];
  }

  #start(work: BackgroundWork): void {
    this.#isRunning = true;
    this.#machine.startBackground(work, () => {
      this.#isRunning = false;
      const [next, ...rest] = this.#waiting;
      this.#waiting = rest;
      if (next) this.#start(next);
    });
  }
}
