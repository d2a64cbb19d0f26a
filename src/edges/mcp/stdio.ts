import { Buffer } from 'node:buffer';
import { tooLong } from './message.ts';

/** Limit of a line, so that endless input does not fill the memory. */
const LINE_BYTES = 64 * 1024 * 1024;

/** Bytes kept from each end of an overlong line, to find the request's id. */
const END_BYTES = 1_024;

/** Splits a byte stream into lines; skips an overlong line and reports its two ends. */
export class LineReader {
  #parts: Buffer[] = [];
  #bytes = 0;
  #skipping = false;
  #head = '';
  #tail = Buffer.alloc(0);
  readonly #tooLong: (head: string, tail: string) => void;

  constructor(skipped: (head: string, tail: string) => void = () => {}) {
    this.#tooLong = skipped;
  }

  push(chunk: Buffer): readonly string[] {
    const lines: string[] = [];
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      this.#take(chunk.subarray(from, at));
      if (this.#skipping) this.#tooLong(this.#head, this.#tail.toString('utf8'));
      const line = Buffer.concat(this.#parts).toString('utf8').trim();
      if (line !== '') lines.push(line);
      this.#parts = [];
      this.#bytes = 0;
      this.#skipping = false;
      from = at + 1;
    }
    this.#take(chunk.subarray(from));
    return lines;
  }

  #take(part: Buffer): void {
    if (part.length === 0) return;
    this.#bytes += part.length;
    if (this.#bytes <= LINE_BYTES) this.#parts.push(part);
    else {
      if (!this.#skipping) this.#head = (this.#parts[0] ?? part).subarray(0, END_BYTES).toString('utf8');
      this.#skipping = true;
      this.#parts = [];
      this.#tail = Buffer.from(Buffer.concat([this.#tail, part.subarray(-END_BYTES)]).subarray(-END_BYTES));
    }
  }
}

/** How often to check that the client still runs, in case it ends without closing the pipe. */
const WATCH_MS = 3_000;

export interface StdioServer {
  readonly take: (line: string) => Promise<unknown>;
  /** Called after each answered line. */
  readonly answered: () => void;
  /** Called at once when the client is gone, before `close`. */
  readonly leaving: () => void;
  readonly close: () => Promise<void>;
}

/** Answers line by line until the client is gone. */
export function serveStdio({ take, answered, leaving, close }: StdioServer): Promise<never> {
  const reader = new LineReader((head, tail) => process.stdout.write(`${JSON.stringify(tooLong(head, tail))}\n`));
  let answers: Promise<unknown> = Promise.resolve();
  const leave = (): void => {
    // First, because clients kill the server soon.
    leaving();
    // Exit even if something hangs: files are safe at any moment.
    setTimeout(() => process.exit(0), 2_000).unref();
    void answers.then(close).finally(() => process.exit(0));
  };
  const answer = async (line: string): Promise<void> => {
    await take(line);
    answered();
  };
  process.stdin.on('data', (chunk: Buffer) => {
    for (const line of reader.push(chunk)) {
      answers = Promise.all([answers, answer(line)]);
    }
  });
  process.stdin.on('end', leave).on('close', leave).on('error', leave);
  process.stdout.on('error', leave);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, leave);
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) leave();
  }, WATCH_MS).unref();
  return new Promise(() => {});
}
