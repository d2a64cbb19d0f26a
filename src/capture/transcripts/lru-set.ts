/** A set that remembers only the last so many members, so that a long transcript does not fill the memory. */
export class LruSet {
  readonly #members = new Set<string>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  has(member: string): boolean {
    return this.#members.has(member);
  }

  /** True when it was not there before. */
  add(member: string): boolean {
    if (this.#members.has(member)) return false;
    this.#members.add(member);
    if (this.#members.size > this.#limit) this.#members.delete(this.#members.values().next().value as string);
    return true;
  }
}

/** The same for a map. */
export class RecentMap<V> {
  readonly #entries = new Map<string, V>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: string): V | undefined {
    return this.#entries.get(key);
  }

  set(key: string, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > this.#limit) this.#entries.delete(this.#entries.keys().next().value as string);
  }
}
