import type { EpisodeAddition, NewChunk, NewEpisodeEntry } from '../../../core/ports/episodes.ts';
import type { Database } from '../binding.ts';
import { encodeOrder } from '../../../core/episode/chunk-lists.ts';
import type { PostingsWriter } from './postings.ts';
import { RowGroups } from './row-groups.ts';

const COMMAND_LIMIT = 500;
/** Chunks in one statement: half of what a chunk costs is the call. */
const AT_ONCE = 8;

/** Characters after which the next prompt opens another exchange: what is shorter goes on with the matter before it. */
const EXCHANGE_CHARS = 3_000;
/** The kinds of chunk with speech: prompts, replies and messages of a chat. */
const SAID_KINDS = 3;
const KINDS = 8;

interface OpenExchange {
  readonly first: number;
  terms: number;
  chars: number;
}

interface Span {
  readonly first: number;
  readonly last: number;
  /** The number from which an agent's thinking begins; it comes after its replies. */
  readonly thought?: number;
}

export interface Added {
  readonly messages: number;
  readonly prompts: number;
  readonly chunks: number;
}

const statementsFor = (database: Database) => ({
  lastMessage: database.prepare('SELECT max(number) AS number FROM messages'),
  known: database.prepare('SELECT number, first, last FROM messages WHERE unit = ? AND id = ?'),
  fuller: database.prepare('UPDATE messages SET role = ?, size = ?, at = ?, speaker = ?, asks = ?, first = ?, last = ?, thought = ? WHERE number = ?'),
  chunk: database.prepare('INSERT OR IGNORE INTO chunks (id, message, terms, text) VALUES (?, ?, ?, ?)'),
  chunks: database.prepare(`INSERT INTO chunks (id, message, terms, text) VALUES ${Array.from({ length: AT_ONCE }, () => '(?, ?, ?, ?)').join(', ')}`),
  noChunk: database.prepare('DELETE FROM chunks WHERE id BETWEEN ? AND ? AND message = ?'),
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

/** Puts messages and their chunks into the tables: the part of an import that runs for every one of them. */
export class EntryWriter {
  readonly #run: ReturnType<typeof statementsFor>;
  readonly #groups: ReturnType<typeof groupsFor>;
  readonly #postings: PostingsWriter;
  /** The number of the message put last; asked for again in every transaction, since others write between them. */
  #number: number | undefined;
  /** Words that this process wrote already. */
  #words = new Set<string>();
  #newWords: string[] = [];
  #files = new Set<string>();
  #removed = 0;

  constructor(database: Database, postings: PostingsWriter) {
    this.#run = statementsFor(database);
    this.#groups = groupsFor(database);
    this.#postings = postings;
  }

  put(unit: number, { entries, chunks, words, rules }: EpisodeAddition): Added {
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

  /** After a rollback: nothing that was put is in the database. */
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
      this.#run.fuller.run(role, size, at, speaker, asks, first, last, thought, number);
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

  /** In a session beyond all measure numbers run out, and a chunk whose number is taken is left out. Returns how many were added. */
  #chunks(chunks: readonly NewChunk[], numbers: ReadonlyMap<string, number>): number {
    const values: unknown[] = [];
    const found = chunks.map(({ terms }) => this.#postings.find(terms));
    for (let nth = 0; nth < chunks.length; nth++) {
      const { id, text, messageId } = chunks[nth] as NewChunk;
      values.push(id, numbers.get(messageId ?? '') ?? 0, encodeOrder(found[nth] ?? []), withoutZeros(text));
    }
    const isDone = chunks.length === AT_ONCE && this.#areNew(values);
    let added = 0;
    for (let nth = 0; nth < chunks.length; nth++) {
      if (!isDone && Number(this.#run.chunk.run(...values.slice(nth * 4, nth * 4 + 4)).changes) === 0) continue;
      this.#postings.add((chunks[nth] as NewChunk).id, found[nth] ?? []);
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

  /** Cuts what was said into exchanges: a prompt opens one, unless the one before it has hardly begun. */
  #exchanges(unit: number, entries: readonly NewEpisodeEntry[], chunks: readonly NewChunk[]): void {
    const exchanges = saidIn(chunks);
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

  /** The lists keep the numbers of what is gone; a search that meets one finds no chunk there. Returns the message's number. */
  #removeChunks(unit: number, id: string): number {
    const known = this.#run.known.get(unit, id);
    const number = Number(known?.['number']);
    if (known?.['first'] !== null) this.#removed += Number(this.#run.noChunk.run(known?.['first'], known?.['last'], number).changes);
    return number;
  }
}

/** SQLite ends a text at a zero. */
const withoutZeros = (text: string): string => text.replaceAll('\u0000', ' ');

/** How much each message says, and where that begins; commands and code do not count. */
function saidIn(chunks: readonly NewChunk[]): ReadonlyMap<string, OpenExchange> {
  const exchanges = new Map<string, OpenExchange>();
  for (const { id, text, terms, messageId = '', thought } of chunks) {
    if (id % KINDS >= SAID_KINDS || thought) continue;
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
