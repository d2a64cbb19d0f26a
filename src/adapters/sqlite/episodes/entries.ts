import type { EpisodeAddition, NewChunk, NewEpisodeEntry } from '../../../core/ports/episodes.ts';
import type { Database } from '../binding.ts';
import { encodeOrder } from '../../../core/episode/chunk-lists.ts';
import type { PostingsWriter } from './postings.ts';
import { RowGroups } from './row-groups.ts';

const COMMAND_LIMIT = 500;
/** Chunks in one statement: the call is half of a chunk's cost. */
const AT_ONCE = 8;

/** Characters after which the next prompt opens another exchange: a shorter exchange continues with that prompt. */
const EXCHANGE_CHARS = 3_000;
/** The kinds of chunk with speech: prompts, replies and messages of a chat. */
const SPEECH_KINDS = 3;
const KINDS = 8;

interface OpenExchange {
  readonly first: number;
  terms: number;
  chars: number;
}

interface Span {
  readonly first: number;
  readonly last: number;
  /** The number of the first chunk of the agent's thinking, which comes after its replies. */
  readonly thought?: number;
}

export interface AddedCounts {
  readonly messages: number;
  readonly prompts: number;
  readonly chunks: number;
}

const statementsFor = (database: Database) => ({
  lastMessage: database.prepare('SELECT max(number) AS number FROM messages'),
  message: database.prepare('SELECT number, first, last FROM messages WHERE unit = ? AND id = ?'),
  updateMessage: database.prepare('UPDATE messages SET role = ?, size = ?, at = ?, speaker = ?, asks = ?, first = ?, last = ?, thought = ? WHERE number = ?'),
  chunk: database.prepare('INSERT OR IGNORE INTO chunks (id, message, terms, text) VALUES (?, ?, ?, ?)'),
  chunks: database.prepare(`INSERT INTO chunks (id, message, terms, text) VALUES ${Array.from({ length: AT_ONCE }, () => '(?, ?, ?, ?)').join(', ')}`),
  removeChunks: database.prepare('DELETE FROM chunks WHERE id BETWEEN ? AND ? AND message = ?'),
  openExchange: database.prepare('SELECT first, terms, chars FROM exchanges WHERE unit = ? ORDER BY first DESC LIMIT 1'),
  exchange: database.prepare('INSERT OR REPLACE INTO exchanges (first, unit, terms, chars) VALUES (?, ?, ?, ?)'),
  rule: database.prepare('INSERT OR REPLACE INTO rules (message, nth, unit, weight, text) VALUES (?, ?, ?, ?, ?)'),
  speaker: database.prepare('INSERT OR IGNORE INTO speakers (name) VALUES (?)'),
  words: database.prepare('INSERT OR IGNORE INTO words (word) SELECT value FROM json_each(?)'),
});

const groupsFor = (database: Database) => ({
  messages: new RowGroups(database, 'messages', ['number', 'unit', 'id', 'role', 'size', 'at', 'speaker', 'asks', 'first', 'last', 'thought']),
  files: new RowGroups(database, 'files', ['unit', 'path'], 'INSERT OR IGNORE'),
  commands: new RowGroups(database, 'commands', ['message', 'nth', 'command'], 'INSERT OR REPLACE'),
});

/** Inserts messages and their chunks: the part of an import that runs for every message. */
export class EntryWriter {
  readonly #run: ReturnType<typeof statementsFor>;
  readonly #groups: ReturnType<typeof groupsFor>;
  readonly #postings: PostingsWriter;
  /** The number of the last message; read again in every transaction, because other processes write in between. */
  #number: number | undefined;
  /** Words that this process has already written. */
  #words = new Set<string>();
  #newWords: string[] = [];
  #files = new Set<string>();
  #removed = 0;

  constructor(database: Database, postings: PostingsWriter) {
    this.#run = statementsFor(database);
    this.#groups = groupsFor(database);
    this.#postings = postings;
  }

  put(unit: number, { entries, chunks, words, rules }: EpisodeAddition): AddedCounts {
    const spans = spansOf(chunks);
    const numbers = new Map<string, number>();
    let [messages, prompts, added] = [0, 0, 0];
    this.#removed = 0;
    for (const entry of entries) {
      numbers.set(entry.id, this.#entry(unit, entry, spans.get(entry.id)));
      if (entry.known) continue;
      if (entry.role !== 'compaction') messages++;
      if (entry.role === 'user') prompts++;
    }
    for (const group of Object.values(this.#groups)) group.flush();
    for (let at = 0; at < chunks.length; at += AT_ONCE) added += this.#chunks(chunks.slice(at, at + AT_ONCE), numbers);
    this.#exchanges(unit, entries, chunks);
    for (const [nth, { messageId, text, weight }] of rules.entries()) this.#run.rule.run(numbers.get(messageId) ?? 0, nth, unit, weight, withoutZeros(text));
    for (const word of words) {
      if (this.#words.has(word)) continue;
      this.#words.add(word);
      this.#newWords.push(word);
    }
    return { messages, prompts, chunks: added - this.#removed };
  }

  /** Writes the collected words in one statement. */
  flush(): void {
    if (this.#newWords.length > 0) this.#run.words.run(JSON.stringify(this.#newWords));
    this.#newWords = [];
    this.#number = undefined;
  }

  /** Forgets all insertions after a rollback. */
  forget(): void {
    for (const group of Object.values(this.#groups)) group.forget();
    this.#number = undefined;
    this.#words = new Set();
    this.#newWords = [];
    this.#files = new Set();
  }

  #entry(unit: number, entry: NewEpisodeEntry, span: Span | undefined): number {
    const { id, role, size, at = null, speaker = null, files, commands } = entry;
    const asks = entry.asks === true ? 1 : null;
    const [first, last, thought] = [span?.first ?? null, span?.last ?? null, span?.thought ?? null];
    let number: number;
    if (entry.known) {
      number = this.#removeChunks(unit, id);
      this.#run.updateMessage.run(role, size, at, speaker, asks, first, last, thought, number);
    } else this.#groups.messages.add((number = this.#nextNumber()), unit, id, role, size, at, speaker, asks, first, last, thought);
    for (const file of files) this.#file(unit, file);
    for (let nth = 0; nth < commands.length; nth++) this.#groups.commands.add(number, nth, commands[nth]?.slice(0, COMMAND_LIMIT));
    if (speaker !== null) this.#run.speaker.run(speaker);
    return number;
  }

  #nextNumber(): number {
    this.#number ??= Number(this.#run.lastMessage.get()?.['number'] ?? 0);
    return ++this.#number;
  }

  /** Returns how many were added: in an extremely long session numbers run out, and chunks without a free number are left out. */
  #chunks(chunks: readonly NewChunk[], numbers: ReadonlyMap<string, number>): number {
    const values: unknown[] = [];
    const postings = chunks.map(({ terms }) => this.#postings.find(terms));
    for (let nth = 0; nth < chunks.length; nth++) {
      const { id, text, messageId } = chunks[nth] as NewChunk;
      values.push(id, numbers.get(messageId ?? '') ?? 0, encodeOrder(postings[nth] ?? []), withoutZeros(text));
    }
    const isDone = chunks.length === AT_ONCE && this.#areNew(values);
    let added = 0;
    for (let nth = 0; nth < chunks.length; nth++) {
      if (!isDone && Number(this.#run.chunk.run(...values.slice(nth * 4, nth * 4 + 4)).changes) === 0) continue;
      this.#postings.add((chunks[nth] as NewChunk).id, postings[nth] ?? []);
      added++;
    }
    return added;
  }

  #areNew(values: readonly unknown[]): boolean {
    try {
      this.#run.chunks.run(...values);
      return true;
    } catch (cause) {
      if (!/constraint/i.test((cause as Error).message)) throw cause;
      return false;
    }
  }

  /** Divides the speech of a session into exchanges: a prompt opens one, unless the one before is still short. */
  #exchanges(unit: number, entries: readonly NewEpisodeEntry[], chunks: readonly NewChunk[]): void {
    const exchanges = speechIn(chunks);
    let open = this.#run.openExchange.get(unit) as OpenExchange | undefined;
    const close = (): void => {
      if (open) this.#run.exchange.run(open.first, unit, open.terms, open.chars);
    };
    for (const { id, role, known } of entries) {
      const part = known ? undefined : exchanges.get(id);
      if (part === undefined) continue;
      if (open === undefined || (role === 'user' && open.chars >= EXCHANGE_CHARS)) {
        close();
        open = { first: part.first, terms: 0, chars: 0 };
      }
      open.terms += part.terms;
      open.chars += part.chars;
    }
    close();
  }

  #file(unit: number, file: string): void {
    const key = `${unit} ${file}`;
    if (this.#files.has(key)) return;
    this.#files.add(key);
    this.#groups.files.add(unit, file);
  }

  /** Removes the chunks of a message and returns its number. Lists keep the chunks' numbers; a search finds no chunk for them. */
  #removeChunks(unit: number, id: string): number {
    const message = this.#run.message.get(unit, id);
    const number = Number(message?.['number']);
    if (message?.['first'] !== null) this.#removed += Number(this.#run.removeChunks.run(message?.['first'], message?.['last'], number).changes);
    return number;
  }
}

/** SQLite ends a text at a zero character. */
const withoutZeros = (text: string): string => text.replaceAll('\u0000', ' ');

/** The length and first chunk of each message's speech, without commands and code. */
function speechIn(chunks: readonly NewChunk[]): ReadonlyMap<string, OpenExchange> {
  const exchanges = new Map<string, OpenExchange>();
  for (const { id, text, terms, messageId = '', thought } of chunks) {
    if (id % KINDS >= SPEECH_KINDS || thought) continue;
    const part = exchanges.get(messageId);
    if (part === undefined) exchanges.set(messageId, { first: id, terms: terms.length, chars: text.length });
    else {
      part.terms += terms.length;
      part.chars += text.length;
    }
  }
  return exchanges;
}

/** The numbers between which the chunks of each message lie. */
function spansOf(chunks: readonly NewChunk[]): ReadonlyMap<string, Span> {
  const spans = new Map<string, { first: number; last: number; thought?: number }>();
  for (const { id, messageId = '', thought } of chunks) {
    const span = spans.get(messageId);
    if (span === undefined) spans.set(messageId, { first: id, last: id, ...(thought && { thought: id }) });
    else {
      if (id < span.first) span.first = id;
      if (id > span.last) span.last = id;
      if (thought) span.thought ??= id;
    }
  }
  return spans;
}
