/** Runs what it is given one after the other, in the order it was given; what fails holds up nothing behind it. */
export function inTurn(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return async (work) => {
    const mine = last.then(work, work);
    last = mine;
    return mine;
  };
}
