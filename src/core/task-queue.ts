/** Runs tasks one after the other, in order. A task that waits for input or output may let others run meanwhile. */
export class TaskQueue {
  #last: Promise<void> = Promise.resolve();
  /** Ends the turn of the running task. */
  #end: () => void = () => {};

  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.#begin();
    try {
      return await work();
    } finally {
      this.#end();
    }
  }

  /** Must be called within a turn: lets other tasks run while this one waits, then continues it in a new turn. */
  async aside<T>(wait: () => Promise<T>): Promise<T> {
    this.#end();
    try {
      return await wait();
    } finally {
      await this.#begin();
    }
  }

  async #begin(): Promise<void> {
    const before = this.#last;
    let end = this.#end;
    this.#last = new Promise((resolve) => (end = resolve));
    await before;
    this.#end = end;
  }
}

/** Runs tasks one after the other, in order; a failed task does not hold up the next. */
export function inTurn(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return async (work) => {
    const mine = last.then(work, work);
    last = mine;
    return mine;
  };
}
