import type { Client, SessionFacts } from '../../core/episode/episode.ts';
import type { ReadEvent } from './event.ts';

/** The facts about its session that one record has. */
export interface RecordFacts {
  readonly at?: string | undefined;
  readonly project?: string | undefined;
  readonly branch?: string | undefined;
  readonly remote?: string | undefined;
  readonly clientVersion?: string | undefined;
  readonly title?: string | undefined;
}

const MAX_SESSIONS = 1_024;
const NOTHING: readonly ReadEvent[] = [];

type MutableFacts = { -readonly [Field in keyof SessionFacts]: SessionFacts[Field] };

/** The facts of the sessions in a transcript, usually one. Beyond MAX_SESSIONS, the oldest session is reported a last time and dropped. */
export class Sessions {
  readonly #client: Client;
  readonly #known = new Map<string, MutableFacts>();

  constructor(client: Client) {
    this.#client = client;
  }

  /** Adds a record's facts; returns an event if more than the time changed. */
  note(sessionId: string, newFacts: RecordFacts): readonly ReadEvent[] {
    const known = this.#known.get(sessionId);
    if (known !== undefined) return mergeFacts(known, newFacts) ? [factsEvent(known)] : NOTHING;
    const facts: MutableFacts = { sessionId, client: this.#client };
    mergeFacts(facts, newFacts);
    this.#known.set(sessionId, facts);
    return [...this.#forgotten(), factsEvent(facts)];
  }

  all(): readonly ReadEvent[] {
    return [...this.#known.values()].map(factsEvent);
  }

  #forgotten(): readonly ReadEvent[] {
    const oldest = this.#known.size > MAX_SESSIONS ? this.#known.values().next().value : undefined;
    if (oldest === undefined) return NOTHING;
    this.#known.delete(oldest.sessionId);
    return [factsEvent(oldest)];
  }
}

const factsEvent = (facts: MutableFacts): ReadEvent => ({ kind: 'facts', facts: { ...facts } });

/** Keeps the first project and the earliest start; updates branch, version, title and end. Returns whether more than a time changed. */
function mergeFacts(facts: MutableFacts, newFacts: RecordFacts): boolean {
  const { at, project, branch, remote, clientVersion, title } = newFacts;
  if (at !== undefined && (facts.startedAt === undefined || at < facts.startedAt)) facts.startedAt = at;
  if (at !== undefined && (facts.endedAt === undefined || at > facts.endedAt)) facts.endedAt = at;
  const isFirst = project !== undefined && facts.project === undefined;
  if (isFirst) facts.project = project;
  const isNew = isFirst || differs(branch, facts.branch) || differs(clientVersion, facts.clientVersion) || differs(title, facts.title);
  if (branch !== undefined) facts.branch = branch;
  if (remote !== undefined) facts.remote = remote;
  if (clientVersion !== undefined) facts.clientVersion = clientVersion;
  if (title !== undefined) facts.title = title;
  return isNew;
}

const differs = (newFacts: string | undefined, known: string | undefined): boolean => newFacts !== undefined && newFacts !== known;
