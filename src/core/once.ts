/** A value that is made when it is first asked for: a search waits for every table that is made at the start. */
export function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
