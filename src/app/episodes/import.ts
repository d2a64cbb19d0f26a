import { READ_LIMITS } from '../../capture/cleaning/clean.ts';
import { detectFormat, readerFor } from '../../capture/transcripts/detect.ts';
import type { TranscriptReader } from '../../capture/transcripts/event.ts';
import type { Client } from '../../core/episode/episode.ts';
import { isFailure } from '../../core/failure.ts';
import { type SourceState, TOO_LONG, type TranscriptFile, type TranscriptLines, type Transcripts } from '../../core/ports/episodes.ts';
import { Intake, type IntakePorts, type IntakeSizes } from './intake.ts';
import { PeekedLines } from './peek.ts';
import { type ImportReport, Tally } from './tally.ts';

/** The offsets of a transcript's last lines: lines that the reader has not completed are read again by the next import. */
class ImportCursor {
  readonly #startOffset: number;
  readonly #startLine: number;
  #starts: number[] = [];
  #lines = 0;

  /** Reading begins at `place`, after `line` lines. */
  constructor(place: number, line: number) {
    this.#startOffset = place;
    this.#startLine = line;
  }

  add(start: number): void {
    this.#lines++;
    this.#starts.push(start);
  }

  get tracked(): number {
    return this.#starts.length;
  }

  /** Forgets the offsets before the lines that the reader holds back. */
  trim(heldLines: number): void {
    this.#starts = heldLines >= this.#lines ? [] : this.#starts.slice(Math.max(0, this.#starts.length - heldLines));
  }

  /** Where the next import resumes if the last `heldLines` lines are needed again, and the number of lines before that place. */
  resumePoint(heldLines: number, end: number): { readonly offset: number; readonly line: number } {
    if (heldLines === 0) return { offset: end, line: this.#startLine + this.#lines };
    const start = heldLines >= this.#lines ? undefined : this.#starts[this.#starts.length - heldLines];
    return start === undefined ? { offset: this.#startOffset, line: this.#startLine } : { offset: start, line: this.#startLine + this.#lines - heldLines };
  }
}

export interface ImportPorts extends IntakePorts {
  readonly transcripts: Transcripts;
}

export interface ImportRequest {
  readonly files: readonly TranscriptFile[];
  /** The format of the files; detected from their first lines if absent. */
  readonly format?: Client;
  /** Called with the number of bytes that have been read. */
  readonly onProgress?: (done: number) => void;
  readonly sizes?: IntakeSizes;
}

const PROGRESS_LINES = 256;

/** Reads transcripts into episodes: skips unchanged files, and reads only the new end of a file that grew. */
export async function importTranscripts(ports: ImportPorts, request: ImportRequest): Promise<ImportReport> {
  const { files, format, onProgress } = request;
  const tally = new Tally();
  const intake = new Intake(ports, tally, request.sizes);
  let doneBytes = 0;
  for (const file of files) {
    tally.files++;
    const before = ports.sources.state(file.path);
    if (before !== undefined && before.size === file.size && before.mtimeMs === file.mtimeMs && (format ?? before.client) === before.client) tally.unchanged++;
    else await new FileImport(ports, intake, tally, file, (read) => onProgress?.(doneBytes + read)).run(before, format);
    doneBytes += file.size;
    onProgress?.(doneBytes);
  }
  await intake.finish();
  if (!tally.remade) return tally.report();
  // Read all transcripts again: they may hold sessions that the archive, and so the rebuilt index, lacks.
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
      else await this.#resume(lines, resumed, resumed.client as Client);
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
    const client = format ?? detectFormat(peeked.firstLines(), path);
    if (client !== undefined) return this.#read(peeked, readerFor(client, { path, limits: READ_LIMITS }), client, new ImportCursor(0, 0));
    this.#tally.skipFile(path, this.#file.size === 0 ? 'empty' : 'no transcript of a known client');
    this.#intake.noteState({ ...this.#file, offset: 0, line: 0, anchor: '' });
  }

  /** Resumes where the last import stopped. Some clients name the session in the first line only. */
  async #resume(first: TranscriptLines, { offset, line }: SourceState, client: Client): Promise<void> {
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
    let number = cursor.resumePoint(0, 0).line;
    const takeEvents = (events: ReturnType<TranscriptReader['push']>): void => {
      for (const event of events) {
        if (event.kind === 'skipped') this.#tally.skipLine(event.reason, this.#file.path, number);
        else if (event.kind === 'mended') this.#tally.repairedLines++;
        else this.#intake.take(event, this.#file.path, client);
      }
    };
    let unfinishedLine: { readonly offset: number; readonly line: number } | undefined;
    for (let line = lines.look(); line !== undefined; line = lines.look()) {
      number++;
      // A last line without its newline may still grow: the next import reads it again.
      if (!lines.whole) unfinishedLine = { offset: lines.start, line: number - 1 };
      cursor.add(lines.start);
      if (line === TOO_LONG) this.#tally.skipLine('too-long', this.#file.path, number);
      else takeEvents(reader.push(line));
      if (cursor.tracked >= PROGRESS_LINES) {
        cursor.trim(reader.backlog);
        this.#onRead(lines.end);
      }
      if (this.#intake.isFull) {
        this.#intake.noteState(this.#state(lines, client, cursor.resumePoint(reader.backlog, lines.end), false));
        await this.#intake.flush();
      }
    }
    const resume = cursor.resumePoint(reader.backlog, lines.end);
    takeEvents(reader.end());
    this.#tally.imported++;
    this.#tally.bytes += lines.end - from;
    this.#intake.noteState(this.#state(lines, client, unfinishedLine !== undefined && unfinishedLine.offset < resume.offset ? unfinishedLine : resume, true));
    if (this.#intake.isFull) await this.#intake.flush();
  }

  /** A file that was not read to its end is recorded with an impossible size, so that the next import reads on. */
  #state(lines: TranscriptLines, client: Client, { offset, line }: { readonly offset: number; readonly line: number }, whole: boolean): SourceState {
    const { path, size, mtimeMs } = this.#file;
    return { path, client, size: whole ? size : -1, mtimeMs, offset, line, anchor: lines.anchor(offset) };
  }
}
