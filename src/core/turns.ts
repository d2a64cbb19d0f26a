/** Work that is done one piece after the other, in the order it came. A piece that only waits for somebody else may step aside meanwhile. */
export class TaskQueue {
  #last: Promise<void> = Promise.resolve();
  /** Ends the turn of the piece at work. */
  #end: () => void = () => {};

  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.#begin();
    try {
      return await work();
    } finally {
      this.#end();
    }
  }

  /** To be called within a turn: others have theirs while this waits, and then it goes on with a turn of its own. */
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
