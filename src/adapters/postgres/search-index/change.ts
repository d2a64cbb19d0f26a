import type { SessionFacts } from '../../../core/episode/episode.ts';
import { epochOf } from '../../../core/instant.ts';
import type { EpisodeAddition, EpisodeChange, StoredSession } from '../../../core/ports/episodes.ts';

/** A session as the change leaves it. */
export interface ChangedSession {
  readonly isNew: boolean;
  session: StoredSession;
  started: number | undefined;
  ended: number | undefined;
  size: number;
  files: Set<string>;
}

/** The state of a session before the change. */
export interface KnownSession {
  readonly session: StoredSession;
  readonly started: number | undefined;
  readonly ended: number | undefined;
  readonly size: number;
  readonly files: readonly string[];
  readonly sizes: ReadonlyMap<string, number>;
}

/** Files of a session that are worth naming. */
const MOST_FILES = 200;
const unsupported = (): never => {
  throw new Error('a pending change does not support this: PostgreSQL does it with separate statements');
};

/** Collects the changes of a batch to the stored sessions; `saveChange` writes them in a few statements. */
export class PendingChange implements EpisodeChange {
  readonly sessions = new Map<string, ChangedSession>();
  readonly additions: { readonly unit: number; readonly addition: EpisodeAddition }[] = [];
  readonly #known: ReadonlyMap<string, KnownSession>;
  readonly #sizes = new Map<number, Map<string, number>>();
  #nextUnit: number;

  constructor(known: readonly KnownSession[], nextUnit: number) {
    this.#known = new Map(known.map((stored) => [stored.session.facts.sessionId, stored]));
    this.#nextUnit = nextUnit;
  }

  session(id: string): StoredSession | undefined {
    return this.#of(id)?.session;
  }

  begin(facts: SessionFacts, source: string, archive: string): StoredSession {
    const session: StoredSession = {
      unit: this.#nextUnit++,
      facts: { sessionId: facts.sessionId, client: facts.client },
      archive,
      archiveBytes: 0,
      dropped: false,
      source,
      messages: 0,
      prompts: 0,
      nextPlace: 0,
    };
    this.sessions.set(facts.sessionId, { isNew: true, session, started: undefined, ended: undefined, size: 0, files: new Set() });
    this.#sizes.set(session.unit, new Map());
    this.facts(session.unit, facts, source);
    return this.#byUnit(session.unit).session;
  }

  /** Project and start keep their first values; the other facts take the latest. */
  facts(unit: number, facts: SessionFacts, source: string): void {
    const changed = this.#byUnit(unit);
    const before = changed.session.facts;
    const merged = { ...before, ...facts, ...(before.project !== undefined && { project: before.project }) };
    changed.session = { ...changed.session, facts: merged, source: changed.session.source === '' ? source : changed.session.source };
    changed.started = least(changed.started, epochOf(facts.startedAt));
    changed.ended = greatest(changed.ended, epochOf(facts.endedAt));
  }

  sizes(unit: number, ids: readonly string[]): ReadonlyMap<string, number> {
    const known = this.#sizes.get(unit);
    return new Map(ids.flatMap((id) => (known?.has(id) === true ? [[id, known.get(id) ?? 0]] : [])));
  }

  put(unit: number, addition: EpisodeAddition): void {
    const changed = this.#byUnit(unit);
    const { entries, nextPlace, size } = addition;
    const fresh = entries.filter(({ known }) => !known);
    const { messages, prompts } = changed.session;
    changed.session = {
      ...changed.session,
      nextPlace,
      messages: messages + fresh.filter(({ role }) => role !== 'compaction').length,
      prompts: prompts + fresh.filter(({ role }) => role === 'user').length,
    };
    changed.size += size;
    for (const entry of entries) {
      this.#sizes.get(unit)?.set(entry.id, entry.size);
      for (const file of entry.files) if (changed.files.size < MOST_FILES) changed.files.add(file);
    }
    this.additions.push({ unit, addition });
  }

  archived(unit: number, bytes: number): void {
    const changed = this.#byUnit(unit);
    changed.session = { ...changed.session, archiveBytes: bytes };
  }

  /** The server never drops old text. */
  oldest = (): readonly StoredSession[] => [];
  dropText = unsupported;
  whole = unsupported;
  clear = unsupported;

  #of(id: string): ChangedSession | undefined {
    const changed = this.sessions.get(id);
    const known = changed ? undefined : this.#known.get(id);
    if (!known) return changed;
    const { session, started, ended, size, files, sizes } = known;
    const added: ChangedSession = { isNew: false, session, started, ended, size, files: new Set(files) };
    this.sessions.set(id, added);
    this.#sizes.set(session.unit, new Map(sizes));
    return added;
  }

  #byUnit(unit: number): ChangedSession {
    for (const changed of this.sessions.values()) if (changed.session.unit === unit) return changed;
    throw new Error(`no session of this change has the number ${unit}`);
  }
}

const least = (a: number | undefined, b: number | undefined): number | undefined => (a === undefined || (b !== undefined && b < a) ? b : a);
const greatest = (a: number | undefined, b: number | undefined): number | undefined => (a === undefined || (b !== undefined && b > a) ? b : a);
