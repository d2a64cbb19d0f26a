import { transcriptStem } from '../event.ts';
import { fingerprint } from '../fingerprint.ts';
import { LruSet, RecentMap } from '../recent.ts';
import { idOf, instantOf, objectOf } from '../value.ts';
import type { ClaudeRecord } from './record.ts';

/** Where a record belongs: its session, its name, its time, and the subagent it comes from. */
export interface ChainPosition {
  readonly sessionId: string;
  readonly id: string;
  readonly at?: string;
  readonly agentId?: string;
}

/** Messages of one chain follow each other; those of subagents run beside it. */
export const chainOf = (place: Pick<ChainPosition, 'sessionId' | 'agentId'>): string => `${place.sessionId} ${place.agentId ?? ''}`;

const REMEMBERED = 16_384;

/** Gives every record its place, and knows the records of late again. */
export class Places {
  readonly #fileName: string | undefined;
  readonly #fileAgent: string | undefined;
  readonly #seen = new LruSet(REMEMBERED);
  readonly #sessions = new RecentMap<string>(REMEMBERED);
  readonly #sidechains = new RecentMap<string>(REMEMBERED);

  constructor(path: string | undefined) {
    this.#fileName = transcriptStem(path);
    this.#fileAgent = this.#fileName?.startsWith('agent-') ? this.#fileName.slice('agent-'.length) : undefined;
  }

  sessionOf(record: ClaudeRecord): string | undefined {
    return idOf(record.sessionId) ?? this.#fileName;
  }

  /** The session of a record met before. */
  sessionWith(uuid: unknown): string | undefined {
    return this.#sessions.get(idOf(uuid) ?? '');
  }

  /** Undefined for a record met before: resumed and forked sessions repeat what they continue. */
  of(record: ClaudeRecord, sessionId: string): ChainPosition | undefined {
    const at = instantOf(record.timestamp);
    const id = idOf(record.uuid) ?? idOf(objectOf(record.message)?.['id']) ?? fingerprint(sessionId, at, JSON.stringify(record.message));
    if (!this.#seen.add(`${sessionId} ${id}`)) return undefined;
    this.#sessions.set(id, sessionId);
    const place: { sessionId: string; id: string; at?: string; agentId?: string } = { sessionId, id };
    if (at !== undefined) place.at = at;
    const agentId = this.#agentOf(record, id);
    if (agentId !== undefined) place.agentId = agentId;
    return place;
  }

  /** Older versions write a subagent's records into the main file without a name: the chain's first record names it. */
  #agentOf(record: ClaudeRecord, id: string): string | undefined {
    if (record.isSidechain !== true) return undefined;
    const named = idOf(record.agentId) ?? this.#fileAgent;
    if (named !== undefined) return named;
    const chain = this.#sidechains.get(idOf(record.parentUuid) ?? '') ?? id;
    this.#sidechains.set(id, chain);
    return chain;
  }
}
