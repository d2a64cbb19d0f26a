import { READ_LIMITS } from '../../capture/cleaning/clean.ts';
import { detectFormat, readerFor } from '../../capture/transcripts/detect.ts';
import type { TranscriptReader } from '../../capture/transcripts/event.ts';
import type { Client } from '../../core/episode/episode.ts';
import { isFailure } from '../../core/failure.ts';
import { type SourceState, TOO_LONG, type TranscriptFile, type TranscriptLines, type Transcripts } from '../../core/ports/episodes.ts';
import { Intake, type IntakePorts, type IntakeSizes } from './intake.ts';
import { PeekedLines } from './peek.ts';
import { type ImportReport, Tally } from './tally.ts';

/** Where the last lines of a transcript begin: a reader that holds something back is given those again by the next import. */
class ImportCursor {
  readonly #first: number;
  readonly #firstLine: number;
  #starts: number[] = [];
  #lines = 0;

  /** Reading begins at this place, with so many lines before it. */
  constructor(place: number, line: number) {
    this.#first = place;
    this.#firstLine = line;
  }

  add(start: number): void {
    this.#lines++;
    this.#starts.push(start);
  }

  get tracked(): number {
    return this.#starts.length;
  }

  /** Forgets what lies before the lines that are held. */
  trim(held: number): void {
    this.#starts = held >= this.#lines ? [] : this.#starts.slice(Math.max(0, this.#starts.length - held));
  }

  /** Where the next import goes on when the last `held` lines are needed again, and the number of lines before that place. */
  back(held: number, end: number): { readonly offset: number; readonly line: number } {
    if (held === 0) return { offset: end, line: this.#firstLine + this.#lines };
    const start = held >= this.#lines ? undefined : this.#starts[this.#starts.length - held];
    return start === undefined ? { offset: this.#first, line: this.#firstLine } : { offset: start, line: this.#firstLine + this.#lines - held };
  }
}

export interface ImportPorts extends IntakePorts {
  readonly transcripts: Transcripts;
}

export interface ImportRequest {
  readonly files: readonly TranscriptFile[];
  /** The format of the files; detected from their first lines if absent. */
  readonly format?: Client;
  /** Called now and then with the bytes that are done with. */
  readonly onProgress?: (done: number) => void;
  readonly sizes?: IntakeSizes;
}

const PROGRESS_LINES = 256;

/** Reads transcripts into episodes: an unchanged file costs nothing, a grown one only its new end. */
export async function importTranscripts(ports: ImportPorts, request: ImportRequest): Promise<ImportReport> {
  const { files, format, onProgress } = request;
  const tally = new Tally();
  const intake = new Intake(ports, tally, request.sizes);
  let done = 0;
  for (const file of files) {
    tally.files++;
    const before = ports.sources.state(file.path);
    if (before !== undefined && before.size === file.size && before.mtimeMs === file.mtimeMs && (format ?? before.client) === before.client) tally.unchanged++;
    else await new FileImport(ports, intake, tally, file, (read) => onProgress?.(done + read)).run(before, format);
    done += file.size;
    onProgress?.(done);
  }
  await intake.finish();
  if (!tally.remade) return tally.report();
  // Sessions whose text was not in the archive are found in the transcripts that are still there.
  ports.sources.forget();
  return importTranscripts(ports, request);
}

class FileImport {
  readonly #ports: ImportPorts;
  readonly #intake: Intake;
  readonly #tally: Tally;
  readonly #file: TranscriptFile;
  readonly #onRead: (bytes: number) => void;

  constructor(ports: ImportPorts, intake: Intake, tally: Tally, file: TranscriptFile, onRead: (bytes: number) => void) {
    this.#ports = ports;
    this.#intake = intake;
    this.#tally = tally;
    this.#file = file;
    this.#onRead = onRead;
  }

  async run(before: SourceState | undefined, format: Client | undefined): Promise<void> {
    let lines: TranscriptLines | undefined;
    try {
      lines = this.#ports.transcripts.open(this.#file.path, 0);
      const resumed =
        before?.client !== undefined && (format ?? before.client) === before.client && before.offset > 0 && lines.anchor(before.offset) === before.anchor
          ? before
          : undefined;
      if (resumed === undefined) await this.#fromStart(lines, format);
      else await this.#onwards(lines, resumed, resumed.client as Client);
    } catch (cause) {
      if (!isFailure(cause) || cause.code !== 'READ_ERROR') throw cause;
      this.#tally.skipFile(this.#file.path, cause.message);
    } finally {
      lines?.close();
    }
  }

  async #fromStart(lines: TranscriptLines, format: Client | undefined): Promise<void> {
    const { path } = this.#file;
    const peeked = new PeekedLines(lines);
    const client = format ?? detectFormat(peeked.heads(), path);
    if (client !== undefined) return this.#read(peeked, readerFor(client, { path, limits: READ_LIMITS }), client, new ImportCursor(0, 0));
    this.#tally.skipFile(path, this.#file.size === 0 ? 'empty' : 'no transcript of a known client');
    this.#intake.reached({ ...this.#file, offset: 0, line: 0, anchor: '' });
  }

  /** Goes on where the last import stopped. Some clients name the session in the first line only. */
  async #onwards(first: TranscriptLines, { offset, line }: SourceState, client: Client): Promise<void> {
    const reader = readerFor(client, { path: this.#file.path, limits: READ_LIMITS });
    if (client === 'codex' || client === 'gemini' || client === 'copilot' || client === 'droid') {
      const head = first.next();
      if (typeof head === 'string') reader.push(head);
    }
    const rest = this.#ports.transcripts.open(this.#file.path, offset);
    try {
      await this.#read(rest, reader, client, new ImportCursor(offset, line));
    } finally {
      rest.close();
    }
  }

  async #read(lines: TranscriptLines, reader: TranscriptReader, client: Client, cursor: ImportCursor): Promise<void> {
    const from = lines.end;
    let number = cursor.back(0, 0).line;
    const give = (events: ReturnType<TranscriptReader['push']>): void => {
      for (const event of events) {
        if (event.kind === 'skipped') this.#tally.skipLine(event.reason, this.#file.path, number);
        else if (event.kind === 'mended') this.#tally.mended++;
        else this.#intake.take(event, this.#file.path, client);
      }
    };
    let loose: { readonly offset: number; readonly line: number } | undefined;
    for (let line = lines.look(); line !== undefined; line = lines.look()) {
      number++;
      // A last line without its newline may still grow: the next import reads it again.
      if (!lines.whole) loose = { offset: lines.start, line: number - 1 };
      cursor.add(lines.start);
      if (line === TOO_LONG) this.#tally.skipLine('too-long', this.#file.path, number);
      else give(reader.push(line));
      if (cursor.tracked >= PROGRESS_LINES) {
        cursor.trim(reader.backlog);
        this.#onRead(lines.end);
      }
      if (this.#intake.isFull) {
        this.#intake.reached(this.#state(lines, client, cursor.back(reader.backlog, lines.end), false));
        await this.#intake.flush();
      }
    }
    const back = cursor.back(reader.backlog, lines.end);
    give(reader.end());
    this.#tally.imported++;
    this.#tally.bytes += lines.end - from;
    this.#intake.reached(this.#state(lines, client, loose !== undefined && loose.offset < back.offset ? loose : back, true));
    if (this.#intake.isFull) await this.#intake.flush();
  }

  /** A file that was not read to its end is known by a size that it does not have. */
  #state(lines: TranscriptLines, client: Client, { offset, line }: { readonly offset: number; readonly line: number }, whole: boolean): SourceState {
    const { path, size, mtimeMs } = this.#file;
    return { path, client, size: whole ? size : -1, mtimeMs, offset, line, anchor: lines.anchor(offset) };
  }
}
