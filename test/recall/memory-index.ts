import { unitOf } from '../../src/recall/chunks/split-text.ts';
import type { ChunkRow, IndexSize, Postings, RecallIndex, UnitFilter, UnitRow } from '../../src/recall/port.ts';
import type { IndexedChunk } from '../../src/recall/chunks/message-rows.ts';
import { spelledWords } from '../../src/recall/text/words.ts';

/** The port in memory: what every adapter must answer, in the plainest way. */
export class MemoryIndex implements RecallIndex {
  readonly #units = new Map<number, UnitRow>();
  readonly #chunks = new Map<number, IndexedChunk>();
  readonly #postings = new Map<string, number[]>();
  readonly #words = new Set<string>();
  #order: number[] | undefined;

  add(row: UnitRow, chunks: readonly IndexedChunk[]): this {
    this.#units.set(row.unit, row);
    for (const chunk of chunks) {
      this.#chunks.set(chunk.id, chunk);
      for (const term of new Set(chunk.terms)) {
        const ids = this.#postings.get(term);
        if (ids === undefined) this.#postings.set(term, [chunk.id]);
        else ids.push(chunk.id);
      }
      spelledWords(chunk.text, this.#words);
    }
    this.#order = undefined;
    return this;
  }

  remove(unit: number): void {
    this.#units.delete(unit);
    for (const id of this.#chunks.keys()) if (unitOf(id) === unit) this.#chunks.delete(id);
    for (const [term, ids] of this.#postings)
      this.#postings.set(
        term,
        ids.filter((id) => unitOf(id) !== unit),
      );
    this.#order = undefined;
  }

  size(): IndexSize {
    return { chunks: this.#chunks.size, units: this.#units.size, terms: [...this.#units.values()].reduce((sum, { size }) => sum + size, 0) };
  }

  postings(terms: readonly string[], most: number): readonly Postings[] {
    return terms.map((term) => {
      const ids = (this.#postings.get(term) ?? []).toSorted((a, b) => a - b);
      return { ids: ids.slice(-most), count: ids.length };
    });
  }

  units(numbers: readonly number[]): readonly UnitRow[] {
    return numbers.flatMap((number) => this.#units.get(number) ?? []);
  }

  chunks(ids: readonly number[]): readonly ChunkRow[] {
    return ids.flatMap((id) => this.#chunks.get(id) ?? []);
  }

  between(stretches: readonly (readonly [number, number])[]): readonly number[] {
    const order = (this.#order ??= [...this.#chunks.keys()].toSorted((a, b) => a - b));
    const found = new Set<number>();
    for (const [from, to] of stretches) {
      let at = 0;
      for (let step = 1 << 30; step > 0; step >>= 1) if ((order[at + step - 1] ?? Infinity) < from) at += step;
      for (let id = order[at]; id !== undefined && id <= to; id = order[++at]) found.add(id);
    }
    return [...found];
  }

  recordsNamed(ids: readonly string[]): readonly UnitRow[] {
    return [...this.#units.values()].filter((row) => row.type === 'record' && ids.includes(row.id));
  }

  allowed(filter: UnitFilter): ReadonlySet<number> {
    return new Set([...this.#units.values()].filter((row) => passes(row, filter)).map(({ unit }) => unit));
  }

  speakers(): readonly string[] {
    return [...new Set([...this.#chunks.values()].flatMap(({ speaker }) => speaker ?? []))];
  }

  words(from: string, to: string): readonly string[] {
    return [...this.#words].filter((word) => word >= from && word < to).toSorted();
  }
}

function passes(row: UnitRow, { type, category, includeRetired, since = -Infinity, until = Infinity }: UnitFilter): boolean {
  if (type !== undefined && row.type !== type) return false;
  if (category !== undefined && row.category !== category) return false;
  if (!includeRetired && row.status !== undefined && row.status !== 'active') return false;
  return (row.endedAt ?? Infinity) >= since && (row.startedAt ?? -Infinity) < until;
}
