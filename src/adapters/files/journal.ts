import { closeSync, fstatSync, openSync, readSync, statSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isFailure } from '../../core/failure.ts';
import type { Journal, JournalEntry } from '../../core/ports/store.ts';
import { appendLine, ioFailure, replaceFile } from './durable.ts';

const TAIL_BYTES = 4_096;

/** An append-only file of one JSON object a line: every write ever made to a memory. */
export class FileJournal implements Journal {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  async position(): Promise<number> {
    return statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0;
  }

  async entries(fromPosition = 0): Promise<readonly JournalEntry[]> {
    return parseLines(this.#readFrom(fromPosition));
  }

  /** Number of the next entry. Call it with the write lock held. */
  nextSeq(): number {
    const size = statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0;
    for (let tail = TAIL_BYTES; ; tail *= 16) {
      const last = parseLines(this.#readFrom(Math.max(0, size - tail))).at(-1);
      if (last) return last.seq + 1;
      if (tail >= size) return 1;
    }
  }

  /** Durable when it returns. Ends a line torn by a crash first, so that only that line is lost. */
  append(entry: JournalEntry): void {
    const separator = this.#endsTorn() ? '\n' : '';
    appendLine(this.#file, `${separator}${JSON.stringify(entry)}\n`);
  }

  /** Changes entries in place. The file keeps its length, since indexes remember how far they have read. */
  rewrite(change: (entry: JournalEntry) => JournalEntry): void {
    const before = this.#readFrom(0);
    const after = before.split('\n').map((line) => {
      const entry = parseLine(line);
      const changed = entry && change(entry);
      return entry === changed || changed === undefined ? line : padded(JSON.stringify(changed), line);
    });
    if (after.join('\n') !== before) replaceFile(this.#file, after.join('\n'), `${this.#file}.tmp`, true);
  }

  #endsTorn(): boolean {
    const size = statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0;
    return size > 0 && this.#readFrom(size - 1) !== '\n';
  }

  #readFrom(position: number): string {
    try {
      const handle = openSync(this.#file, 'r');
      try {
        const length = Math.max(0, fstatSync(handle).size - position);
        const bytes = Buffer.alloc(length);
        const read = readSync(handle, bytes, 0, length, position);
        return bytes.toString('utf8', 0, read);
      } finally {
        closeSync(handle);
      }
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return '';
      throw ioFailure(cause, `cannot read ${this.#file}`);
    }
  }
}

export const padded = (line: string, before: string): string => line + ' '.repeat(Math.max(0, Buffer.byteLength(before) - Buffer.byteLength(line)));

function parseLines(text: string): JournalEntry[] {
  const entries: JournalEntry[] = [];
  for (const line of text.split('\n')) {
    const entry = parseLine(line);
    if (entry) entries.push(entry);
  }
  return entries;
}

function parseLine(line: string): JournalEntry | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const entry = JSON.parse(line) as Partial<JournalEntry>;
    return typeof entry.seq === 'number' && typeof entry.path === 'string' && typeof entry.root === 'string' ? (entry as JournalEntry) : undefined;
  } catch {
    return undefined;
  }
}

/** Earlier and current texts by their hash: `diff` shows them, and `undo` restores them, also after a shell has overwritten a file. */
export class VersionFolder {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Copies the current text, in case another program overwrites the file. The write counts without it, so a full disk costs only the copy. */
  keepCopy(hash: string, bytes: Buffer): void {
    try {
      this.keep(hash, bytes, false);
    } catch (cause) {
      if (!isFailure(cause)) throw cause;
    }
  }

  keep(hash: string, bytes: Buffer, durable = true): void {
    const file = this.#file(hash);
    // A copy that was not synced may have been torn by a crash.
    if (existsSync(file) && readFileSync(file).equals(bytes)) return;
    replaceFile(file, bytes, join(dirname(this.#folder), '.versions.tmp'), durable);
  }

  read(hash: string): Buffer | undefined {
    if (!/^[0-9a-f]{32}$/.test(hash)) return undefined;
    const file = this.#file(hash);
    return existsSync(file) ? readFileSync(file) : undefined;
  }

  drop(hash: string): void {
    rmSync(this.#file(hash), { force: true });
  }

  #file(hash: string): string {
    return join(this.#folder, hash.slice(0, 2), hash);
  }
}
