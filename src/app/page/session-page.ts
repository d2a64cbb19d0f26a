import { epochOf } from '../../core/instant.ts';
import type { Message } from '../../core/episode/episode.ts';
import type { ItemFacts } from '../../core/ports/index.ts';
import type { Injection, InjectionLog, Verdicts } from '../../core/ports/injection-log.ts';
import { isMessage, type StoredSession } from '../../core/ports/episodes.ts';
import type { Memory } from '../memory/memory.ts';
import type { FoundEpisode } from '../episodes/episodes.ts';
import { currentRecord } from '../write/current.ts';
import { type ItemRow, rowOf } from './record-page.ts';

export interface SessionRow {
  readonly id: string;
  readonly title: string;
  readonly client: string;
  readonly branch?: string;
  readonly startedAt?: string;
  readonly endedAt?: string;
  readonly messages: number;
  readonly prompts: number;
}

/** A tool's answer. */
export interface ToolAnswer {
  readonly id: string;
  readonly text: string;
  /** Characters that were left out at the end. */
  readonly cut: number;
  readonly hasFailed: boolean;
}

export interface SessionCall {
  readonly name: string;
  readonly input: string;
  readonly answer?: ToolAnswer;
}

/** An entry in the timeline of a session's page. */
export type SessionEntry =
  | {
      readonly kind: 'message';
      readonly id: string;
      readonly at?: string;
      readonly role: Message['role'];
      readonly text: string;
      /** Characters that were left out at the end. */
      readonly cut: number;
      readonly speaker?: string;
      readonly isSubagent: boolean;
      readonly hasFailed: boolean;
      readonly calls: readonly SessionCall[];
    }
  | { readonly kind: 'compaction'; readonly id: string; readonly at?: string; readonly text: string }
  | { readonly kind: 'injection'; readonly id: string; readonly at: string; readonly injection: Injection }
  | { readonly kind: 'capture'; readonly id: string; readonly at?: string; readonly record: ItemRow };

export interface SessionPage extends SessionRow {
  readonly project: string;
  /** False if the archive dropped some of its text and its transcript is gone. */
  readonly isWhole: boolean;
  readonly tokens: number;
  /** The verdicts on the items that it was given. */
  readonly verdicts: Readonly<Record<string, Verdicts>>;
  readonly entries: readonly SessionEntry[];
}

const TEXT = 6_000;
const CALL = 600;
/** A record may be dated a little before its session or saved after its end. */
const SLACK_MS = 24 * 60 * 60 * 1000;
const MOST_READ = 400;
const INJECTIONS = 2_000;

export const sessionRow = ({ facts, messages, prompts }: StoredSession): SessionRow => ({
  id: facts.sessionId,
  title: facts.title ?? 'untitled',
  client: facts.client,
  ...(facts.branch !== undefined && { branch: facts.branch }),
  ...(facts.startedAt !== undefined && { startedAt: facts.startedAt }),
  ...(facts.endedAt !== undefined && { endedAt: facts.endedAt }),
  messages,
  prompts,
});

/** A conversation with the injections it got and the records made from it, sorted by time. */
export async function sessionPage(
  { project, session, episode }: FoundEpisode,
  memory: Memory | undefined,
  log: InjectionLog | undefined,
): Promise<SessionPage> {
  const row = sessionRow(session);
  const entries = entriesOf(episode.entries);
  const injections = (log?.injections(row.id, INJECTIONS) ?? []).toReversed();
  for (const [at, injection] of injections.entries()) place(entries, { kind: 'injection', id: `injection-${at}`, at: injection.at, injection }, injection.at);
  for (const { item, messageIds } of memory ? await capturesOf(memory, row) : []) {
    const entry: SessionEntry = { kind: 'capture', id: `capture-${item.path}`, at: item.createdAt, record: rowOf(memory as Memory, item) };
    const behind = entries.findLastIndex((one) => one.kind === 'message' && messageIds.some((id) => holdsMessage(one, id)));
    if (behind >= 0) entries.splice(behind + 1, 0, entry);
    else place(entries, entry, item.createdAt);
  }
  const itemIds = [...new Set(injections.flatMap(({ items }) => items.map(({ id }) => id)))];
  const verdicts = Object.fromEntries(log?.verdicts(itemIds) ?? []);
  return { ...row, project, isWhole: episode.whole, tokens: log?.spent(row.id) ?? 0, verdicts, entries };
}

/** Whether an entry is this message, or holds it as the answer to a tool call. */
export const holdsMessage = (entry: SessionEntry, id: string): boolean =>
  entry.id === id || (entry.kind === 'message' && entry.calls.some(({ answer }) => answer?.id === id));

/** The messages in order, each tool answer attached to its call. */
function entriesOf(all: FoundEpisode['episode']['entries']): SessionEntry[] {
  const answers = new Map(
    all.filter(isMessage).flatMap((message) => (message.role === 'tool' && message.answers !== undefined ? [[message.answers, message]] : [])),
  );
  const answered = new Set<string>();
  const answerTo = (call: string): ToolAnswer | undefined => {
    const message = answers.get(call);
    if (!message || answered.has(message.id)) return undefined;
    answered.add(message.id);
    return { id: message.id, ...cutText(message.text), hasFailed: message.failed === true };
  };
  const entries = all.map((entry) => (isMessage(entry) ? messageEntry(entry, answerTo) : compactionEntry(entry)));
  return entries.filter(({ id }) => !answered.has(id));
}

/** Puts an entry before the first one that is later. */
function place(entries: SessionEntry[], entry: SessionEntry, at: string): void {
  const time = epochOf(at) ?? 0;
  const later = entries.findIndex((one) => one.at !== undefined && (epochOf(one.at) ?? 0) > time);
  entries.splice(later < 0 ? entries.length : later, 0, entry);
}

const cutText = (text: string): { readonly text: string; readonly cut: number } => ({ text: text.slice(0, TEXT), cut: Math.max(0, text.length - TEXT) });

const messageEntry = (message: Message, answerTo: (call: string) => ToolAnswer | undefined): SessionEntry => ({
  kind: 'message',
  id: message.id,
  ...(message.at !== undefined && { at: message.at }),
  role: message.role,
  ...cutText(message.text),
  ...(message.speaker !== undefined && { speaker: message.speaker }),
  isSubagent: message.agentId !== undefined,
  hasFailed: message.failed === true,
  calls: (message.toolCalls ?? []).map(({ id, name, input }) => {
    const answer = answerTo(id);
    return { name, input: input.slice(0, CALL), ...(answer && { answer }) };
  }),
});

const compactionEntry = (entry: { readonly id: string; readonly at?: string; readonly compaction: string }): SessionEntry => ({
  kind: 'compaction',
  id: entry.id,
  ...(entry.at !== undefined && { at: entry.at }),
  text: entry.compaction.slice(0, TEXT),
});

/** Records whose origin is the session; only records from its time are read. */
async function capturesOf(memory: Memory, { id, startedAt, endedAt }: SessionRow): Promise<readonly { item: ItemFacts; messageIds: readonly string[] }[]> {
  const from = (epochOf(startedAt) ?? 0) - SLACK_MS;
  const to = (epochOf(endedAt) ?? epochOf(startedAt) ?? Number.POSITIVE_INFINITY) + SLACK_MS;
  const inTime = memory.index.items({ kind: 'record' }).filter(({ createdAt }) => {
    const at = epochOf(createdAt) ?? 0;
    return at >= from && at <= to;
  });
  const captures: { item: ItemFacts; messageIds: readonly string[] }[] = [];
  for (const item of inTime.slice(0, MOST_READ)) {
    const current = await currentRecord(memory, item);
    if (current.ok && current.value.record.origin?.session_id === id) captures.push({ item, messageIds: current.value.record.origin.message_ids ?? [] });
  }
  return captures;
}
