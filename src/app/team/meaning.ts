import type { Embedder } from '../../core/ports/embedding.ts';
import type { Timers } from '../../core/ports/host.ts';
import type { ChunkVectors } from '../../core/ports/team/search.ts';
import type { TeamStore, TeamTransaction } from '../../core/ports/team/store.ts';
import { unitOf } from '../../recall/chunks/split-text.ts';
import type { RecallIndex, UnitFilter } from '../../recall/port.ts';
import type { NearText } from '../../recall/rank/meaning.ts';
import { withTimeout } from '../embedding/nearby.ts';
import type { TeamMeans } from './access.ts';

/** Nearest texts of one kind that are considered, as in a local search. */
const MOST_NEAR = 200;
/** Timeout for the vector of a query, which holds a database connection meanwhile. */
const TIMEOUT_MS = 1_000;

export interface NearInTeam {
  readonly index: RecallIndex;
  readonly vectors: ChunkVectors | undefined;
  readonly meaning: TeamMeans['meaning'];
  readonly query: string;
  readonly project: number | undefined;
  readonly filter: UnitFilter;
}

/** The texts nearest in meaning to a query; none without vectors, or while the model is loading or does not answer. */
export async function nearInTeam({ index, vectors, meaning, query, project, filter }: NearInTeam): Promise<readonly NearText[]> {
  if (vectors === undefined || meaning === undefined) return [];
  const { embedder, timers } = meaning;
  if (embedder.isWarm === false) {
    embedder.warm?.();
    return [];
  }
  const answer = await withTimeout(embedder.embed([query], 'query'), { ms: TIMEOUT_MS, timers });
  const question = answer.ok ? answer.value[0] : undefined;
  if (question === undefined) return [];
  const { type, since = -Infinity, until = Infinity } = filter;
  const near = new Map<number, number>();
  for (const isTalk of [true, false]) {
    if (type !== undefined && isTalk !== (type === 'session')) continue;
    const request = { isTalk, most: MOST_NEAR, ...(project !== undefined && { project }) };
    for (const { chunk, near: cosine } of await vectors.nearest(embedder.name, question, request)) near.set(chunk, cosine);
  }
  // Query the allowed units first: the filter decides whether retired records count.
  const allowed = await index.allowed(filter);
  const units = [...new Set([...near.keys()].map(unitOf))].filter((unit) => allowed === undefined || allowed.has(unit));
  const rows = new Map((await index.units(units)).map((row) => [row.unit, row]));
  const chunks = await index.chunks([...near.keys()].filter((chunk) => rows.has(unitOf(chunk))));
  return chunks.flatMap((chunk) => {
    const row = rows.get(unitOf(chunk.id));
    const at = chunk.at ?? row?.endedAt ?? row?.startedAt;
    const isWithin = (since === -Infinity && until === Infinity) || (at !== undefined && at >= since && at < until);
    return row !== undefined && isWithin ? [{ index, row, chunk, near: near.get(chunk.id) ?? 0 }] : [];
  });
}

/** A transaction that may store vectors. */
export interface VectorTransaction extends TeamTransaction {
  readonly vectors?: ChunkVectors;
}

export interface TeamEmbeddingParts {
  readonly store: TeamStore<VectorTransaction>;
  readonly embedder: Embedder;
  readonly timers: Timers;
  /** Called with the reason why texts stay without vectors. */
  readonly report: (problem: string) => void;
}

/** Texts in one transaction. */
const PAGE = 64;
/** Wait so that the texts of several requests are embedded together. */
const PAUSE_MS = 2_000;

/** Embeds an organisation's texts in the background while a member of it uses the server. */
export class TeamEmbedding {
  readonly #parts: TeamEmbeddingParts;
  readonly #seen = new Set<number>();
  readonly #due = new Set<number>();
  #running: Promise<void> | undefined;
  #isOpen = true;

  constructor(parts: TeamEmbeddingParts) {
    this.#parts = parts;
  }

  /** Schedules the texts of an organisation that was used or changed for embedding. */
  note(org: number, changed: boolean): void {
    if (!this.#isOpen || (!changed && this.#seen.has(org))) return;
    this.#seen.add(org);
    if (this.#due.size === 0) this.#parts.timers.after(PAUSE_MS, () => void this.#run());
    this.#due.add(org);
  }

  /** Stops after the current page. */
  async stop(): Promise<void> {
    this.#isOpen = false;
    await this.#running;
  }

  async #run(): Promise<void> {
    await this.#running;
    const orgs = [...this.#due];
    this.#due.clear();
    this.#running = this.#embed(orgs);
    await this.#running;
  }

  async #embed(orgs: readonly number[]): Promise<void> {
    try {
      for (const org of orgs) await this.#embedAll(org);
    } catch (cause) {
      for (const org of orgs) this.#seen.delete(org);
      this.#parts.report((cause as Error).message);
    }
  }

  async #embedAll(org: number): Promise<void> {
    const { store, embedder } = this.#parts;
    for (let before: number | undefined; this.#isOpen;) {
      const page = { most: PAGE, ...(before !== undefined && { before }) };
      const waiting = await store.inOrganisation(org, async ({ vectors }) => (vectors === undefined ? [] : vectors.waiting(embedder.name, page)));
      const last = waiting.at(-1);
      if (last === undefined) return;
      const answer = await embedder.embed(
        waiting.map(({ text }) => text),
        'passage',
      );
      if (!answer.ok) throw new Error(answer.error.message);
      const embedded = waiting.flatMap((one, nth) => {
        const vector = answer.value[nth];
        return vector === undefined ? [] : [{ ...one, vector }];
      });
      await store.inOrganisation(org, async ({ vectors }) => vectors?.put(embedder.name, embedded));
      before = last.chunk;
    }
  }
}
