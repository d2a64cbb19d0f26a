import type { TranscriptText } from '../../../core/ports/episodes.ts';
import { parseLine, type ParsedLine } from '../line.ts';
import { jsonOf, objectOf, idOf, instantOf } from '../value.ts';
import { transcriptStem, fingerprint } from '../event.ts';
import { LruSet, RecentMap } from '../lru-set.ts';

/** One line of a Claude Code transcript. Any field may be missing or of another type. */
export interface ClaudeRecord {
  readonly type?: unknown;
  readonly subtype?: unknown;
  readonly uuid?: unknown;
  readonly parentUuid?: unknown;
  readonly sessionId?: unknown;
  readonly timestamp?: unknown;
  readonly message?: unknown;
  readonly isMeta?: unknown;
  readonly isSidechain?: unknown;
  readonly isCompactSummary?: unknown;
  readonly isVisibleInTranscriptOnly?: unknown;
  readonly isApiErrorMessage?: unknown;
  readonly agentId?: unknown;
  readonly cwd?: unknown;
  readonly workspace?: unknown;
  readonly gitBranch?: unknown;
  readonly version?: unknown;
  readonly origin?: unknown;
  readonly toolUseResult?: unknown;
  readonly attachment?: unknown;
  readonly operation?: unknown;
  readonly content?: unknown;
  readonly summary?: unknown;
  readonly leafUuid?: unknown;
  readonly customTitle?: unknown;
  readonly aiTitle?: unknown;
}

/** Record types that never have a message; most of them are skipped without parsing. */
export const SILENT_TYPES = new Set([
  ...['progress', 'file-history-snapshot', 'attribution-snapshot', 'content-replacement', 'last-prompt', 'permission-mode', 'mode', 'tag', 'relocated'],
  ...['agent-name', 'agent-color', 'agent-setting', 'pr-link', 'frame-link', 'bridge-session', 'speculation-accept', 'isolation-latch', 'worktree-state'],
  ...['marble-origami-commit', 'marble-origami-snapshot', 'marble-origami-reset', 'fork-context-ref', 'ended-by-model'],
]);

const TYPE_KEY = '"type":"';
/** Characters at the start of a line that are searched for the record's type, because a search of the whole line is slower. */
const HEAD = 600;
const RESULT_KEY = ',"toolUseResult":';
const TAIL_KEYS = [',"sourceToolAssistantUUID":', ',"userType":'];
const TAIL_WINDOW = 2_000;
const WORTH_CUTTING = 1_000;
const NOTHING: ParsedLine = { values: [] };

/** Parses a line without records that have no message, and without the client's copy of a tool's result. */
export function parseRecord(line: TranscriptText): ParsedLine {
  if (isSilent(line)) return NOTHING;
  const recordWithoutResult = line.length > WORTH_CUTTING ? withoutResult(line) : undefined;
  return recordWithoutResult === undefined ? parseLine(line.toString()) : { values: [recordWithoutResult] };
}

/** Whether the record's own type is a silent one and no second record follows on the line. */
function isSilent(line: TranscriptText): boolean {
  if (!line.endsWith('}')) return false;
  const head = line.slice(0, HEAD);
  const at = head.indexOf(TYPE_KEY);
  if (at < 0 || head.lastIndexOf('{', at) !== 0) return false;
  const from = at + TYPE_KEY.length;
  return SILENT_TYPES.has(head.slice(from, head.indexOf('"', from))) && !isDouble(line, from);
}

/** Whether two records share a line. A quote inside a string is escaped, so `}{"` occurs only between records. */
const isDouble = (line: TranscriptText, from: number): boolean => line.includes('}{"', from) || line.includes('} {"', from);

/**
 * The record without `toolUseResult`, which is a third of all bytes. If the key belongs to an inner object, or the line is unusual, the shortened text does
 * not parse or lacks a field; the answer is then undefined and the whole line is parsed.
 */
function withoutResult(line: TranscriptText): ClaudeRecord | undefined {
  const key = line.indexOf(RESULT_KEY);
  if (key < 0 || !line.endsWith('}') || isDouble(line, key)) return undefined;
  const record: ClaudeRecord | undefined = objectOf(jsonOf(line.slice(0, key) + tailOf(line, key)));
  return record?.uuid !== undefined && record.sessionId !== undefined && record.message !== undefined && record.type === 'user' ? record : undefined;
}

/** The text after the result: newer versions write further fields there. */
function tailOf(line: TranscriptText, key: number): string {
  for (const tailKey of TAIL_KEYS) {
    const at = line.lastIndexOf(tailKey);
    if (at > key && at > line.length - TAIL_WINDOW) return line.slice(at);
  }
  return '}';
}

/** The session, id, time and subagent of a record. */
export interface ChainPosition {
  readonly sessionId: string;
  readonly id: string;
  readonly at?: string;
  readonly agentId?: string;
}

/** The key of a chain of messages; each subagent has a chain of its own. */
export const chainOf = (place: Pick<ChainPosition, 'sessionId' | 'agentId'>): string => `${place.sessionId} ${place.agentId ?? ''}`;

const REMEMBERED = 16_384;

/** Determines the position of every record, and recognises repeated ones. */
export class ChainPositions {
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

  /** The session of an earlier record. */
  sessionWith(uuid: unknown): string | undefined {
    return this.#sessions.get(idOf(uuid) ?? '');
  }

  /** The position of a record; undefined for a repeated one, because resumed and forked sessions repeat earlier records. */
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

  /** Older versions write a subagent's records into the main file without an agent id; the id of the chain's first record is used then. */
  #agentOf(record: ClaudeRecord, id: string): string | undefined {
    if (record.isSidechain !== true) return undefined;
    const named = idOf(record.agentId) ?? this.#fileAgent;
    if (named !== undefined) return named;
    const chain = this.#sidechains.get(idOf(record.parentUuid) ?? '') ?? id;
    this.#sidechains.set(id, chain);
    return chain;
  }
}
