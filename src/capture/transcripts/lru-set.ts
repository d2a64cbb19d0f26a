/** A set of limited size that drops its oldest member, so that a long transcript does not fill the memory. */
export class LruSet {
  readonly #members = new Set<string>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  has(member: string): boolean {
    return this.#members.has(member);
  }

  /** Returns whether the member is new. */
  add(member: string): boolean {
    if (this.#members.has(member)) return false;
    this.#members.add(member);
    if (this.#members.size > this.#limit) this.#members.delete(this.#members.values().next().value as string);
    return true;
  }
}

/** A map of limited size that drops its oldest entry. */
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
