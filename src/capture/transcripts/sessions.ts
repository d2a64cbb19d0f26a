import type { Client, SessionFacts } from '../../core/episode/episode.ts';
import type { ReadEvent } from './event.ts';

/** The facts of a session that a record names; absent if it names none. */
export interface Sighting {
  readonly at?: string | undefined;
  readonly project?: string | undefined;
  readonly branch?: string | undefined;
  readonly remote?: string | undefined;
  readonly clientVersion?: string | undefined;
  readonly title?: string | undefined;
}

const MAX_SESSIONS = 1_024;
const NOTHING: readonly ReadEvent[] = [];

type Known = { -readonly [Field in keyof SessionFacts]: SessionFacts[Field] };

/** The facts of the sessions a transcript speaks of. A file holds one, rarely a few: past the bound the oldest is told a last time and forgotten. */
export class Sessions {
  readonly #client: Client;
  readonly #known = new Map<string, Known>();

  constructor(client: Client) {
    this.#client = client;
  }

  /** Takes in a sighting; tells of it when it says something new beside the time. */
  note(sessionId: string, seen: Sighting): readonly ReadEvent[] {
    const known = this.#known.get(sessionId);
    if (known !== undefined) return takeIn(known, seen) ? [factsEvent(known)] : NOTHING;
    const facts: Known = { sessionId, client: this.#client };
    takeIn(facts, seen);
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

const factsEvent = (facts: Known): ReadEvent => ({ kind: 'facts', facts: { ...facts } });

/** The first project and start stay; branch, version, title and end follow the transcript. True when more than a time changed. */
function takeIn(facts: Known, seen: Sighting): boolean {
  const { at, project, branch, remote, clientVersion, title } = seen;
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

const differs = (seen: string | undefined, known: string | undefined): boolean => seen !== undefined && seen !== known;
