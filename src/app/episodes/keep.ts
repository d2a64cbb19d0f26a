import { failuresIn } from '../../capture/failures/failures.ts';
import { isCommit } from '../../capture/commits/commit-command.ts';
import { GIT, type Message, type SessionFacts, type ToolCall } from '../../core/episode/episode.ts';
import { epochOf } from '../../core/instant.ts';
import type { Md5 } from '../../core/ports/host.ts';
import {
  type EpisodeEntry,
  type EpisodeArchive,
  type EpisodeChange,
  type EpisodeIndex,
  type EpisodePart,
  isMessage,
  type StoredBatch,
  type NewEpisodeEntry,
  type ProjectBatch,
  type StoredSession,
  type TypedRule,
} from '../../core/ports/episodes.ts';
import { isReservedName, slugify } from '../../core/project/slug.ts';
import { episodeRows } from '../../recall/chunks/message-rows.ts';
import { weightedRules } from '../../recall/rules/rule-weight.ts';
import { NewWords } from '../../recall/text/words.ts';
import { archiveLine, factsLine, sizeOfEntry, joinFacts, archivedLine } from './archive-line.ts';

/** The episodes of one project, opened. */
export interface EpisodeStore {
  readonly index: EpisodeIndex;
  readonly archive: EpisodeArchive;
  readonly md5: Md5;
}

/** The parts of a store that storing a batch needs. */
interface BatchStore {
  readonly archive: Pick<EpisodeArchive, 'pack' | 'append'>;
  readonly md5: Md5;
}

/** An open change of the index, and the words that are new since it began. */
export interface OpenChange {
  readonly change: EpisodeChange;
  readonly words: NewWords;
}

/** The same, with the sessions whose new lines are being packed. */
export interface OpenBatchChange extends OpenChange {
  readonly packing: { readonly session: StoredSession; readonly packed: Promise<Uint8Array> }[];
}

const TITLE_LIMIT = 100;
const DROP_AT_ONCE = 50;
const NONE: ReadonlyMap<string, number> = new Map();

const idsOf = (entries: readonly EpisodeEntry[]): readonly string[] => entries.map(({ id }) => id);

/**
 * Stores a batch. Archive and index change together: the index holds the valid length of each archive, so what a crash leaves behind that length
 * is overwritten, and what was committed is never written again.
 */
export async function storeBatch(
  store: BatchStore,
  openChange: OpenBatchChange,
  { key, archiveBytes, parts }: ProjectBatch,
): Promise<Omit<StoredBatch, 'remade'>> {
  await appendPacked(store, openChange);
  const sessions: string[] = [];
  let [messages, repeated, grown] = [0, 0, 0];
  for (const part of parts) {
    const stored = storePart(store, openChange, part, archiveBytes > 0);
    messages += stored.messages;
    repeated += stored.repeated;
    grown += stored.grown;
    if (stored.messages + stored.grown > 0) sessions.push(part.facts.sessionId);
  }
  return { key, messages, repeated, grown, sessions };
}

/** Appends packed text to the archive; must run before a session's next part and before the commit. */
export async function appendPacked({ archive }: Pick<BatchStore, 'archive'>, { change, packing }: OpenBatchChange): Promise<void> {
  for (const { session, packed } of packing.splice(0)) change.archived(session.unit, archive.append(session.archive, session.archiveBytes, await packed));
}

function storePart(
  store: BatchStore,
  openChange: OpenBatchChange,
  part: EpisodePart,
  isArchived: boolean,
): Pick<StoredBatch, 'messages' | 'repeated' | 'grown'> {
  const { change } = openChange;
  const known = change.session(part.facts.sessionId);
  const session = known ?? change.begin(part.facts, part.source, archiveName(part.facts.sessionId, store.md5));
  const sizes = known === undefined ? NONE : change.sizes(session.unit, idsOf(part.entries));
  const { fresh, repeated, grown } = newEntriesOf(sizes, part.entries);
  const facts = titled(part.facts, session, fresh);
  change.facts(session.unit, facts, part.source);
  if (fresh.length === 0) return { messages: 0, repeated, grown: 0 };
  // Git itself stores the text of commits.
  if (isArchived && part.facts.client !== GIT) {
    // The session's facts first, then its entries.
    const packed = store.archive.pack([factsLine(part.facts), ...fresh.map(archiveLine)]);
    // Awaited when appended; keep it from being reported as unhandled.
    packed.catch(() => undefined);
    openChange.packing.push({ session, packed });
  }
  putEntries(openChange, session, fresh, sizes);
  return { messages: fresh.filter(isMessage).length - grown, repeated, grown };
}

/** A session without a title is named after its first prompt. */
function titled(facts: SessionFacts, session: StoredSession, entries: readonly EpisodeEntry[]): SessionFacts {
  const title = facts.title ?? (session.facts.title === undefined ? titleOf(entries) : undefined);
  return title === undefined ? facts : { ...facts, title };
}

/** Adds entries to the index, not to the archive. */
export function putEntries({ change, words }: OpenChange, session: StoredSession, entries: readonly EpisodeEntry[], sizes: ReadonlyMap<string, number>): void {
  const messages = entries.filter(isMessage);
  const rows = episodeRows(session.unit, messages, session.nextPlace, words);
  const asking = new Set<string>();
  for (const { asks, messageId } of rows.chunks) if (asks === true && messageId !== undefined) asking.add(messageId);
  const newEntries = entries.map((entry) => newEntry(entry, asking.has(entry.id), sizes.has(entry.id)));
  const committed = newEntries.some(({ commands }) => commands.some(isCommit));
  change.put(session.unit, {
    entries: newEntries,
    chunks: rows.chunks,
    rules: rulesIn(entries),
    nextPlace: rows.nextPlace,
    size: rows.size,
    words: words.take(),
    committed,
    failures: failuresIn(messages),
  });
}

/** A prompt to an agent may state a rule; a message in a chat and a subagent's task do not. */
const rulesIn = (entries: readonly EpisodeEntry[]): readonly TypedRule[] =>
  entries.flatMap((entry) =>
    isMessage(entry) && entry.role === 'user' && entry.speaker === undefined && entry.agentId === undefined
      ? weightedRules(entry.text).map((rule) => ({ ...rule, messageId: entry.id }))
      : [],
  );

/** The new entries of a part: unknown ones, and longer versions of entries that were cut off before. */
function newEntriesOf(
  sizes: ReadonlyMap<string, number>,
  entries: readonly EpisodeEntry[],
): { readonly fresh: readonly EpisodeEntry[]; readonly repeated: number; readonly grown: number } {
  const fresh = new Map<string, EpisodeEntry>();
  let repeated = 0;
  for (const entry of entries) {
    const before = fresh.get(entry.id);
    const size = before === undefined ? sizes.get(entry.id) : sizeOfEntry(before);
    const isFuller = size === undefined || sizeOfEntry(entry) > size;
    if (before !== undefined || !isFuller) repeated++;
    if (isFuller) fresh.set(entry.id, entry);
  }
  const grown = [...fresh.values()].filter((entry) => isMessage(entry) && sizes.has(entry.id)).length;
  return { fresh: [...fresh.values()], repeated, grown };
}

type MutableEntry = { -readonly [Field in keyof NewEpisodeEntry]: NewEpisodeEntry[Field] };
const NO_CALLS: readonly ToolCall[] = [];

function newEntry(entry: EpisodeEntry, asks: boolean, known: boolean): NewEpisodeEntry {
  const message = isMessage(entry) ? entry : undefined;
  const calls = message?.toolCalls ?? NO_CALLS;
  const files: string[] = [];
  const commands: string[] = [];
  for (const call of calls) {
    files.push(...call.files);
    if (call.command !== undefined) commands.push(call.command);
  }
  const entryFacts: MutableEntry = { known, id: entry.id, size: sizeOfEntry(entry), role: message?.role ?? 'compaction', files, commands };
  const at = epochOf(entry.at);
  if (at !== undefined) entryFacts.at = at;
  if (message?.speaker !== undefined) entryFacts.speaker = message.speaker;
  if (asks) entryFacts.asks = true;
  return entryFacts;
}

const plainLine = (line: string): string =>
  line
    .replace(/^#+\s*/, '')
    .replace(/\s+/g, ' ')
    .trim();

/** The first two lines that are not blank. */
function firstLines(text: string): readonly string[] {
  const lines: string[] = [];
  for (let from = 0; from <= text.length && lines.length < 2;) {
    const newline = text.indexOf('\n', from);
    const end = newline < 0 ? text.length : newline;
    const line = plainLine(text.slice(from, end));
    if (line !== '') lines.push(line);
    from = end + 1;
  }
  return lines;
}

function titleOf(entries: readonly EpisodeEntry[]): string | undefined {
  const prompt = entries.find((entry): entry is Message => isMessage(entry) && entry.role === 'user' && entry.text.trim() !== '');
  const [first = '', second] = firstLines(prompt?.text ?? '');
  // "Implement the following plan:" is no title; the plan's heading is.
  const line = first.endsWith(':') ? (second ?? first) : first;
  return line === '' ? undefined : line.length > TITLE_LIMIT ? `${line.slice(0, TITLE_LIMIT - 1)}…` : line;
}

/** The name of a session's file: its id, or a name made from it if the id is not a valid file name. */
function archiveName(sessionId: string, md5: Md5): string {
  if (/^[a-z0-9][a-z0-9._-]{0,99}$/.test(sessionId) && !sessionId.endsWith('.') && !isReservedName(sessionId)) return sessionId;
  return `${slugify(sessionId).slice(0, 40) || 'session'}.${md5(sessionId).slice(0, 16)}`;
}

/** Drops the text of the oldest sessions until the archive fits its limit. The index still finds them. */
export function dropOldestTexts({ index, archive }: EpisodeStore, archiveBytes: number): readonly string[] {
  const dropped: string[] = [];
  while (index.archivedBytes() > archiveBytes) {
    const change = index.begin();
    const before = dropped.length;
    for (const session of change.oldest(DROP_AT_ONCE)) {
      if (index.archivedBytes() <= archiveBytes) break;
      change.dropText(session.unit);
      archive.remove(session.archive);
      dropped.push(session.facts.sessionId);
    }
    index.commit();
    if (dropped.length === before) break;
  }
  return dropped;
}

/** Rebuilds a lost index from the archive while other processes wait. True if the archive held anything. */
export function rebuildLostIndex({ index, archive }: EpisodeStore): boolean {
  if (index.isWhole()) return false;
  const change = index.begin();
  try {
    const isRebuilt = !index.isWhole() && refillIndex(change, archive);
    index.commit();
    return isRebuilt;
  } catch (cause) {
    index.rollback();
    throw cause;
  }
}

/** Replaces the index by the content of the archive. True if the archive had any. */
export function refillIndex(change: EpisodeChange, archive: EpisodeArchive): boolean {
  change.clear();
  const [names, openChange] = [archive.names(), { change, words: new NewWords() }];
  for (const name of names) indexArchived(openChange, name, archive.blocks(name));
  change.whole(true);
  return names.length > 0;
}

function indexArchived(openChange: OpenChange, name: string, blocks: Iterable<{ readonly lines: readonly string[]; readonly end: number }>): void {
  const { change } = openChange;
  let sessionId: string | undefined;
  let length = 0;
  for (const { lines, end } of blocks) {
    const { facts, entries } = readArchivedLines(lines);
    if (facts === undefined) continue;
    sessionId = facts.sessionId;
    const session = change.session(sessionId) ?? change.begin(facts, '', name);
    change.facts(session.unit, titled(facts, session, entries), '');
    const sizes = change.sizes(session.unit, idsOf(entries));
    putEntries(openChange, session, newEntriesOf(sizes, entries).fresh, sizes);
    length = end;
  }
  const session = sessionId === undefined ? undefined : change.session(sessionId);
  if (session !== undefined) change.archived(session.unit, length);
}

/** Every append begins with the session's facts. */
export function readArchivedLines(lines: readonly string[]): { readonly facts?: SessionFacts; readonly entries: readonly EpisodeEntry[] } {
  let facts: SessionFacts | undefined;
  const entries: EpisodeEntry[] = [];
  for (const text of lines) {
    const line = archivedLine(text);
    if (line === undefined) continue;
    if ('session' in line) facts = facts === undefined ? line.session : joinFacts(facts, line.session);
    else entries.push(line.entry);
  }
  return { ...(facts !== undefined && { facts }), entries };
}
