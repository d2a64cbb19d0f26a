import { closeSync, existsSync, fstatSync, lstatSync, openSync, readdirSync, readFileSync, readSync, rmSync, utimesSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import type { ForgottenText } from '../../core/lifecycle/forgotten-text.ts';
import type { FileWithText, SweepReport } from '../../core/ports/text-sweep.ts';
import { replaceFile } from './durable.ts';
import { padded } from './journal.ts';

const CHUNK = 8 << 20;
/** Longer than any sentence, so that none hides where two chunks meet. */
const OVERLAP = 1 << 16;
const ARCHIVE = /\.gz$/;
const DATABASE = /\.db(?:-wal|-shm|-journal)?$|\.lock$/;
const VIEW = /^(?:_index|_index-archive|index)\.md$/;
/** Folders of copies, of texts saved elsewhere or never: a file in them is deleted as a whole. */
const COPIES = ['versions', 'staging', 'ahead', 'owed', 'injections.pending'];
const JOURNAL = 'journal';

export interface SweptDatabase {
  /** Every text of every row. */
  texts(file: string): Iterable<string>;
}

function* filesUnder(folder: string): Generator<string> {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesUnder(path);
    else if (entry.isFile()) yield path;
  }
}

/** A file as text, in chunks; bytes that are not text do not hide the text between them. */
function* textChunks(file: string): Generator<string> {
  const handle = openSync(file, 'r');
  try {
    const { size } = fstatSync(handle);
    for (let at = 0; at < size; at += CHUNK) {
      const bytes = Buffer.alloc(Math.min(CHUNK + OVERLAP, size - at));
      yield bytes.toString('utf8', 0, readSync(handle, bytes, 0, bytes.length, at));
    }
  } finally {
    closeSync(handle);
  }
}

function* unpacked(file: string): Generator<string> {
  const { gunzipSync } = process.getBuiltinModule('node:zlib');
  try {
    yield gunzipSync(readFileSync(file)).toString('utf8');
  } catch (cause) {
    // A file that cannot be unpacked holds no readable text.
    if (!String((cause as NodeJS.ErrnoException).code).startsWith('Z_')) throw cause;
  }
}

/** Finds text in the files of a home, and removes it from Holdfast's own files. */
export class HomeTexts {
  readonly #home: string;
  readonly #state: string;
  readonly #databases: SweptDatabase;

  constructor(home: string, databases: SweptDatabase) {
    this.#home = home;
    this.#state = join(home, 'holdfast');
    this.#databases = databases;
  }

  /** Keys of the projects that have state. */
  projects(): readonly string[] {
    const folder = join(this.#state, 'projects');
    return existsSync(folder) ? readdirSync(folder) : [];
  }

  find(text: ForgottenText): SweepReport {
    const held: FileWithText[] = [];
    let checked = 0;
    for (const file of filesUnder(this.#home)) {
      checked++;
      const sentences = new Set<string>();
      for (const chunk of this.#textsOf(file)) for (const sentence of text.sentencesIn(chunk)) sentences.add(sentence);
      if (sentences.size > 0) held.push({ file, owner: this.#ownerOf(file), sentences: [...sentences] });
    }
    return { checked, files: held };
  }

  /** Skips archives and databases, which other code changes. */
  clean(text: ForgottenText): void {
    const copies: string[] = [];
    for (const file of filesUnder(this.#state)) {
      if (ARCHIVE.test(file) || DATABASE.test(file)) continue;
      const before = readFileSync(file, 'utf8');
      if (!text.isIn(before)) continue;
      const folders = relative(this.#state, file).split(sep);
      if (folders.some((name) => COPIES.includes(name))) copies.push(file);
      else this.#replace(file, basename(file) === JOURNAL ? paddedLines(before, text) : text.removeFrom(before));
    }
    // Last, because after a crash they show what still has to be forgotten.
    for (const file of copies) rmSync(file, { force: true });
  }

  cleanTranscripts(text: ForgottenText): void {
    for (const file of filesUnder(this.#home)) {
      if (this.#ownerOf(file) !== 'client' || !/\.jsonl?$/.test(file)) continue;
      const { atimeMs, mtimeMs } = lstatSync(file);
      const before = readFileSync(file, 'utf8');
      if (!text.isIn(before)) continue;
      this.#replace(file, text.removeFrom(before));
      utimesSync(file, atimeMs / 1_000, mtimeMs / 1_000);
    }
  }

  *#textsOf(file: string): Generator<string> {
    if (ARCHIVE.test(file)) yield* unpacked(file);
    else yield* textChunks(file);
    // A database splits a long text over several pages.
    if (file.endsWith('.db') && basename(file) !== 'lock.db') yield* this.#databases.texts(file);
  }

  #ownerOf(file: string): FileWithText['owner'] {
    const [top = '', ...below] = relative(this.#home, file).split(sep);
    if (top === 'holdfast') return 'holdfast';
    const name = basename(file);
    if (VIEW.test(name)) return 'holdfast';
    if (below.length === 0) return name.endsWith('.md') ? 'memory' : 'client';
    if (top === 'user') return 'memory';
    return top === 'projects' && /\.(?:md|json)$/.test(name) ? 'memory' : 'client';
  }

  #replace(file: string, text: string): void {
    replaceFile(file, text, `${file}.holdfast.tmp`, true);
  }
}

/** A journal keeps its length, since indexes remember how far they have read. */
const paddedLines = (journal: string, text: ForgottenText): string =>
  journal
    .split('\n')
    .map((line) => padded(text.removeFrom(line), line))
    .join('\n');
