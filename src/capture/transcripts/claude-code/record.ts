import type { TranscriptText } from '../../../core/ports/episodes.ts';
import { parseLine, type Parsed } from '../line.ts';
import { jsonOf, objectOf, idOf, instantOf } from '../value.ts';
import { transcriptStem, fingerprint } from '../event.ts';
import { LruSet, RecentMap } from '../lru-set.ts';

/** One line of a Claude Code transcript. Field names are the client's; any may be missing or of another type. */
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

/** Record types that never carry a message; frequent ones are not even parsed. */
export const SILENT_TYPES = new Set([
  ...['progress', 'file-history-snapshot', 'attribution-snapshot', 'content-replacement', 'last-prompt', 'permission-mode', 'mode', 'tag', 'relocated'],
  ...['agent-name', 'agent-color', 'agent-setting', 'pr-link', 'frame-link', 'bridge-session', 'speculation-accept', 'isolation-latch', 'worktree-state'],
  ...['marble-origami-commit', 'marble-origami-snapshot', 'marble-origami-reset', 'fork-context-ref', 'ended-by-model'],
]);

const TYPE_KEY = '"type":"';
/** Where the type of a record stands, if no inner object comes before it; a short text is looked through faster than a line. */
const HEAD = 600;
const RESULT_KEY = ',"toolUseResult":';
const TAIL_KEYS = [',"sourceToolAssistantUUID":', ',"userType":'];
const TAIL_WINDOW = 2_000;
const WORTH_CUTTING = 1_000;
const NOTHING: Parsed = { values: [] };

/** Parses a line, leaving out what need not be parsed: records that carry nothing, and the client's own copy of a tool's result. */
export function parseRecord(line: TranscriptText): Parsed {
  if (isSilent(line)) return NOTHING;
  const spared = line.length > WORTH_CUTTING ? withoutResult(line) : undefined;
  return spared === undefined ? parseLine(line.toString()) : { values: [spared] };
}

/** True when the line's own type, before any inner object, is a silent one, and no second record hangs on it. */
function isSilent(line: TranscriptText): boolean {
  if (!line.endsWith('}')) return false;
  const head = line.slice(0, HEAD);
  const at = head.indexOf(TYPE_KEY);
  if (at < 0 || head.lastIndexOf('{', at) !== 0) return false;
  const from = at + TYPE_KEY.length;
  return SILENT_TYPES.has(head.slice(from, head.indexOf('"', from))) && !holdsTwo(line, from);
}

/** A quote inside a string is always escaped, so a bare brace pair before one is where two records meet. */
const holdsTwo = (line: TranscriptText, from: number): boolean => line.includes('}{"', from) || line.includes('} {"', from);

/**
 * The record without `toolUseResult`, a third of all bytes. The key with its bare quotes can only be a key; where it is not the record's own, or
 * anything else is unusual, the spared text does not parse or lacks a field, and the whole line is parsed.
 */
function withoutResult(line: TranscriptText): ClaudeRecord | undefined {
  const key = line.indexOf(RESULT_KEY);
  if (key < 0 || !line.endsWith('}') || holdsTwo(line, key)) return undefined;
  const record: ClaudeRecord | undefined = objectOf(jsonOf(line.slice(0, key) + tailOf(line, key)));
  return record?.uuid !== undefined && record.sessionId !== undefined && record.message !== undefined && record.type === 'user' ? record : undefined;
}

/** Newer versions write more of the record's fields after the result. */
function tailOf(line: TranscriptText, key: number): string {
  for (const tailKey of TAIL_KEYS) {
    const at = line.lastIndexOf(tailKey);
    if (at > key && at > line.length - TAIL_WINDOW) return line.slice(at);
  }
  return '}';
}

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
