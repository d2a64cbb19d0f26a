import type { Database, Statement } from '../binding.ts';
import { encodeSteps, printOf } from '../../../core/episode/chunk-lists.ts';
import { RowGroups } from './row-groups.ts';

/** Bytes in a block: small enough to lie within a page of the database, so that adding to it rewrites little. */
const BLOCK = 900;
/** Numbers put into a block at once; a number takes up to eight bytes, mostly two or three. */
const AT_ONCE = 300;

/** A term, its number in orders, and the chunks that are not yet in its list. */
export interface WaitingTerm {
  readonly print: number;
  readonly ids: number[];
}

/** Collects which chunks hold which term, and adds them to the lists on disk in one go. */
export class PostingsWriter {
  readonly #find: Statement;
  readonly #newTerms: RowGroups;
  readonly #setTerm: Statement;
  readonly #tail: Statement;
  readonly #grow: Statement;
  readonly #newBlocks: RowGroups;
  readonly #count: Statement;
  #waiting = new Map<string, WaitingTerm>();

  constructor(database: Database) {
    this.#find = database.prepare('SELECT number, chunks, block FROM terms WHERE term = ?');
    this.#newTerms = new RowGroups(database, 'terms', ['term', 'number', 'chunks', 'block']);
    this.#setTerm = database.prepare('UPDATE terms SET chunks = ?, block = ? WHERE term = ?');
    this.#tail = database.prepare('SELECT count, last, ids FROM postings WHERE term = ? AND block = ?');
    this.#grow = database.prepare('UPDATE postings SET ids = ?, last = ?, count = ? WHERE term = ? AND block = ?');
    this.#newBlocks = new RowGroups(database, 'postings', ['term', 'block', 'count', 'last', 'ids']);
    this.#count = database.prepare('SELECT value FROM meta WHERE key = ?');
  }

  /** Looks up terms once, for all later steps. */
  find(terms: readonly string[]): readonly WaitingTerm[] {
    const waitingTerms: WaitingTerm[] = [];
    for (let nth = 0; nth < terms.length; nth++) {
      const term = terms[nth] as string;
      let waiting = this.#waiting.get(term);
      if (waiting === undefined) this.#waiting.set(term, (waiting = { print: printOf(term), ids: [] }));
      waitingTerms.push(waiting);
    }
    return waitingTerms;
  }

  /** Chunks of one unit come in ascending order. */
  add(id: number, terms: readonly WaitingTerm[]): void {
    for (let nth = 0; nth < terms.length; nth++) {
      const { ids } = terms[nth] as WaitingTerm;
      if (ids[ids.length - 1] !== id) ids.push(id);
    }
  }

  clear(): void {
    this.#waiting = new Map();
    this.#newTerms.forget();
    this.#newBlocks.forget();
  }

  /** Writes terms in order, which touches each page of the tree once. */
  flush(setMeta: (key: string, value: number) => void): void {
    if (this.#waiting.size === 0) return;
    const before = Number(this.#count.get('vocabulary')?.['value'] ?? 0);
    let numbers = before;
    for (const term of [...this.#waiting.keys()].toSorted()) {
      const { ids } = this.#waiting.get(term) as WaitingTerm;
      if (ids.length === 0) continue;
      sortIfNeeded(ids);
      const known = before === 0 ? undefined : this.#find.get(term);
      if (known === undefined) {
        numbers++;
        this.#newTerms.add(term, numbers, ids.length, this.#blocks(numbers, 0, ids, 0));
        continue;
      }
      const number = Number(known['number']);
      this.#setTerm.run(Number(known['chunks']) + ids.length, this.#extend(number, Number(known['block']), ids), term);
    }
    this.#newTerms.flush();
    this.#newBlocks.flush();
    setMeta('vocabulary', numbers);
    this.clear();
  }

  /** Adds to the last block of a list where there is room and the order allows it; returns the number of the last block. */
  #extend(term: number, block: number, ids: readonly number[]): number {
    const tail = this.#tail.get(term, block);
    const last = Number(tail?.['last'] ?? Infinity);
    const oldIds = (tail?.['ids'] as Uint8Array | undefined) ?? new Uint8Array(BLOCK);
    const fits = Math.min(ids.length, Math.floor((BLOCK - oldIds.length) / 3));
    if (fits <= 0 || (ids[0] as number) <= last) return this.#blocks(term, block + 1, ids, 0);
    const newIds = encodeSteps(ids, 0, fits, last);
    const grown = new Uint8Array(oldIds.length + newIds.length);
    grown.set(oldIds);
    grown.set(newIds, oldIds.length);
    this.#grow.run(grown, ids[fits - 1], Number(tail?.['count']) + fits, term, block);
    return fits === ids.length ? block : this.#blocks(term, block + 1, ids, fits);
  }

  #blocks(term: number, first: number, ids: readonly number[], from: number): number {
    let block = first;
    for (let at = from; at < ids.length; at += AT_ONCE) {
      const to = Math.min(ids.length, at + AT_ONCE);
      this.#newBlocks.add(term, block++, to - at, ids[to - 1], encodeSteps(ids, at, to, 0));
    }
    return block - 1;
  }
}

function sortIfNeeded(ids: number[]): void {
  for (let at = 1; at < ids.length; at++) {
    if ((ids[at] as number) < (ids[at - 1] as number)) {
      ids.sort((a, b) => a - b);
      return;
    }
  }
}
