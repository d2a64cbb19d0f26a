import { isAscii } from 'node:buffer';
import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { type TranscriptText, TOO_LONG, type TranscriptLines, type Transcripts } from '../../core/ports/episodes.ts';
import { Failure } from '../../core/failure.ts';

/** Most lines are plain ASCII, which needs no decoding. */
const decode = (bytes: Buffer): string => bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');

/** A line of a transcript as bytes. Searches for ASCII words in the bytes, and decodes a part only when it is asked for. */
export class ByteLine implements TranscriptText {
  readonly length: number;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.length = bytes.length;
  }

  indexOf(text: string, from = 0): number {
    return this.#bytes.indexOf(text, from, 'latin1');
  }

  lastIndexOf(text: string, from = this.length): number {
    return this.#bytes.lastIndexOf(text, from, 'latin1');
  }

  includes(text: string, from = 0): boolean {
    return this.indexOf(text, from) >= 0;
  }

  endsWith(text: string): boolean {
    return this.slice(Math.max(0, this.length - text.length)) === text;
  }

  slice(from: number, to = this.length): string {
    return decode(this.#bytes.subarray(from, to));
  }

  toString(): string {
    return decode(this.#bytes);
  }
}

const CHUNK_BYTES = 1 << 18;
/** Longer lines are skipped, so that parsing one stays within the memory limit. */
const LONGEST_LINE_BYTES = 24 << 20;
const ANCHOR_BYTES = 512;
const NEWLINE = 10;

/** Opens regular files only, without blocking: a pipe may wait for ever, and a device has no end. */
export function openRegular(path: string): number {
  const handle = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  if (fstatSync(handle).isFile()) return handle;
  closeSync(handle);
  throw new Error('it is not a regular file');
}

/** Reads a file in chunks and returns its lines; only the current line is in memory. */
class FileLines implements TranscriptLines {
  start: number;
  end: number;
  whole = true;
  readonly #path: string;
  readonly #handle: number;
  #buffer: Buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  /** The part of the buffer that was read. */
  #view: Buffer = this.#buffer.subarray(0, 0);
  #from = 0;
  #to = 0;
  #ended = false;

  constructor(path: string, from: number) {
    this.#path = path;
    this.start = from;
    this.end = from;
    this.#handle = this.#reading(() => openRegular(path));
  }

  next(): string | typeof TOO_LONG | undefined {
    const line = this.look();
    return typeof line === 'object' ? line.toString() : line;
  }

  look(): ByteLine | typeof TOO_LONG | undefined {
    this.start = this.end;
    for (let searched = this.#from; ;) {
      const newline = this.#view.indexOf(NEWLINE, searched);
      if (newline >= 0) return this.#take(newline, 1);
      searched = this.#to;
      if (this.#ended) return this.#to > this.#from ? this.#take(this.#to, 0) : undefined;
      if (this.#to - this.#from > LONGEST_LINE_BYTES) return this.#skip();
      searched -= this.#fill();
    }
  }

  anchor(place: number): string {
    if (place === 0) return '';
    const digest = createHash('md5');
    for (const [from, length] of [
      [0, Math.min(ANCHOR_BYTES, place)],
      [Math.max(0, place - ANCHOR_BYTES), Math.min(ANCHOR_BYTES, place)],
    ] as const) {
      const bytes = Buffer.alloc(length);
      digest.update(
        bytes.subarray(
          0,
          this.#reading(() => readSync(this.#handle, bytes, 0, length, from)),
        ),
      );
    }
    return digest.digest('hex');
  }

  close(): void {
    closeSync(this.#handle);
  }

  #take(to: number, newline: number): ByteLine | typeof TOO_LONG {
    const from = this.#from;
    const until = newline === 1 && to > from && this.#buffer[to - 1] === 13 ? to - 1 : to;
    this.end += to - from + newline;
    this.whole = newline === 1;
    this.#from = to + newline;
    return until - from > LONGEST_LINE_BYTES ? TOO_LONG : new ByteLine(this.#buffer.subarray(from, until));
  }

  /** Skips a line that is too long, without holding it in memory. */
  #skip(): typeof TOO_LONG {
    for (;;) {
      this.end += this.#to - this.#from;
      this.#from = this.#to;
      this.#fill();
      const newline = this.#view.indexOf(NEWLINE);
      this.whole = newline >= 0;
      if (newline < 0 && !this.#ended) continue;
      const rest = newline < 0 ? this.#to : newline + 1;
      this.end += rest;
      this.#from = rest;
      return TOO_LONG;
    }
  }

  /** Moves unread bytes to the start of the buffer and reads more after them; returns how far they moved. */
  #fill(): number {
    const moved = this.#from;
    const unread = this.#to - moved;
    const next = this.#bufferFor(unread, moved);
    this.#buffer.copy(next, 0, moved, this.#to);
    this.#buffer = next;
    const read = this.#reading(() => readSync(this.#handle, this.#buffer, unread, this.#buffer.length - unread, this.end + unread));
    this.#from = 0;
    this.#to = unread + read;
    this.#view = this.#buffer.subarray(0, this.#to);
    this.#ended = read === 0;
    return moved;
  }

  /** Grows the buffer for a long line, and shrinks it afterwards. */
  #bufferFor(unread: number, moved: number): Buffer {
    const { length } = this.#buffer;
    if (unread > moved && unread + CHUNK_BYTES > length) return Buffer.allocUnsafe(Math.min(length * 2, LONGEST_LINE_BYTES + CHUNK_BYTES * 2));
    return length > CHUNK_BYTES * 32 && unread < CHUNK_BYTES ? Buffer.allocUnsafe(CHUNK_BYTES * 2) : this.#buffer;
  }

  #reading<T>(work: () => T): T {
    try {
      return work();
    } catch (cause) {
      throw new Failure('READ_ERROR', `cannot read ${this.#path}: ${(cause as Error).message}`, { cause });
    }
  }
}

export const transcriptFiles: Transcripts = { open: (path, from) => new FileLines(path, from) };

/** Reused for every text. */
let latin1Buffer = Buffer.allocUnsafe(1 << 17);

/** The low byte of every character of a text, in a buffer that the next call overwrites; bytes beyond the text are left over from earlier calls. */
export function lowBytes(text: string): Uint8Array {
  if (text.length > latin1Buffer.length) latin1Buffer = Buffer.allocUnsafe(text.length * 2);
  latin1Buffer.write(text, 'latin1');
  return latin1Buffer;
}

/** A compaction further back than this no longer matters to its session. */
const TAIL_BYTES = 4 << 20;

/** The lines at the end of a transcript. */
export function linesAtEnd(path: string): readonly string[] {
  const lines = transcriptFiles.open(path, Math.max(0, statSync(path).size - TAIL_BYTES));
  const texts: string[] = [];
  for (let line = lines.next(); line !== undefined; line = lines.next()) if (line !== TOO_LONG) texts.push(line);
  lines.close();
  return texts;
}
