import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
  fdatasync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ZlibOptions } from 'node:zlib';
import { Failure } from '../../core/failure.ts';
import type { EpisodeArchive } from '../../core/ports/episodes.ts';

const EXTENSION = '.episode.gz';
/** Measured: higher levels take twice the time for a tenth less. */
const LEVEL = 4;
const FIRST_BUFFER_BYTES = 1 << 14;
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
const MOST_OPEN_FILES = 128;
const sync = promisify(fdatasync);
/** Loaded on demand: only the thread that packs needs it. */
const zlib = () => process.getBuiltinModule('node:zlib');
/** The header of every gzip member that Holdfast writes: deflate, no name, no time. */
const MEMBER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]);

const failure = (doing: string, cause: unknown): Failure =>
  new Failure('IO_ERROR', `${doing}: ${(cause as Error).message}`, { hint: 'check the disk and the permissions of the home', cause });

/** Packs one gzip member on Node's own threads. The first buffer has a third of the input's size: most text fits, so one call is enough. */
export async function packLines(lines: readonly string[]): Promise<Uint8Array> {
  const { gzip } = zlib();
  const bytes = Buffer.from(`${lines.join('\n')}\n`);
  return promisify<Buffer, ZlibOptions, Uint8Array>(gzip)(bytes, { level: LEVEL, chunkSize: Math.max(FIRST_BUFFER_BYTES, bytes.length / 3) });
}

/** A session's entries as a gzip file, with a member for each import: any tool can read it, and each member carries its checksum. */
export class ArchiveFolder implements EpisodeArchive {
  readonly #folder: string;
  /** Files with bytes that may not be on the disk yet: open ones, and some that were closed to open others. */
  readonly #open = new Map<string, number>();
  readonly #closed = new Set<string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  async pack(lines: readonly string[]): Promise<Uint8Array> {
    return packLines(lines);
  }

  append(name: string, length: number, packed: Uint8Array): number {
    const file = this.#file(name);
    try {
      const handle = this.#handle(file);
      const { size } = fstatSync(handle);
      if (size > length) ftruncateSync(handle, length);
      const at = Math.min(size, length);
      for (let written = 0; written < packed.length;) written += writeSync(handle, packed, written, packed.length - written, at + written);
      return at + packed.length;
    } catch (cause) {
      throw failure(`cannot write ${file}`, cause);
    }
  }

  async settle(): Promise<void> {
    const [open, closed] = [[...this.#open], [...this.#closed]];
    this.#open.clear();
    this.#closed.clear();
    try {
      for (const file of closed) if (existsSync(file)) open.push([file, openSync(file, 'r+')]);
      await Promise.all(open.map(async ([, handle]) => sync(handle)));
    } catch (cause) {
      throw failure(`cannot sync ${this.#folder} to the disk`, cause);
    } finally {
      for (const [, handle] of open) closeSync(handle);
    }
  }

  *blocks(name: string, length?: number): Generator<{ readonly lines: readonly string[]; readonly end: number }> {
    const file = this.#file(name);
    if (length === 0 || !existsSync(file)) return;
    const bytes = this.#read(file).subarray(0, length);
    for (let at = bytes.indexOf(MEMBER); at >= 0;) {
      const member = memberAt(bytes, at);
      if (member !== undefined) yield { lines: member.text.split('\n').slice(0, -1), end: member.end };
      at = bytes.indexOf(MEMBER, member?.end ?? at + 1);
    }
  }

  replace(name: string, packed: Uint8Array): void {
    const file = this.#file(name);
    const [temporary, handle] = [`${file}.tmp`, this.#open.get(file)];
    try {
      if (handle !== undefined) closeSync(handle);
      this.#open.delete(file);
      writeFileSync(temporary, packed, { mode: FILE_MODE, flush: true });
      renameSync(temporary, file);
    } catch (cause) {
      throw failure(`cannot write ${file}`, cause);
    }
  }

  remove(name: string): void {
    try {
      rmSync(this.#file(name), { force: true });
    } catch (cause) {
      throw failure(`cannot remove ${this.#file(name)}`, cause);
    }
  }

  names(): readonly string[] {
    if (!existsSync(this.#folder)) return [];
    const files = readdirSync(this.#folder).filter((file) => file.endsWith(EXTENSION));
    return files.toSorted().map((file) => file.slice(0, -EXTENSION.length));
  }

  #file(name: string): string {
    return join(this.#folder, `${name}${EXTENSION}`);
  }

  #read(file: string): Buffer {
    try {
      return readFileSync(file);
    } catch (cause) {
      throw failure(`cannot read ${file}`, cause);
    }
  }

  #handle(file: string): number {
    const known = this.#open.get(file);
    // Another process may have replaced the file.
    if (known !== undefined && fstatSync(known).nlink > 0) return known;
    if (known !== undefined) closeSync(known);
    this.#open.delete(file);
    const [oldest] = this.#open.size >= MOST_OPEN_FILES ? this.#open : [];
    if (oldest !== undefined) {
      closeSync(oldest[1]);
      this.#open.delete(oldest[0]);
      this.#closed.add(oldest[0]);
    }
    const handle = this.#create(file);
    this.#open.set(file, handle);
    return handle;
  }

  #create(file: string): number {
    const flags = constants.O_RDWR | constants.O_CREAT;
    try {
      return openSync(file, flags, FILE_MODE);
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause;
      mkdirSync(this.#folder, { recursive: true, mode: FOLDER_MODE });
      return openSync(file, flags, FILE_MODE);
    }
  }
}

/** The gzip member that begins here. Its end is not stored, so each later member header is tried until the text in between unpacks. */
function memberAt(bytes: Buffer, start: number): { readonly text: string; readonly end: number } | undefined {
  for (let end = start; end < bytes.length;) {
    const next = bytes.indexOf(MEMBER, end + 1);
    end = next < 0 ? bytes.length : next;
    try {
      return { text: zlib().gunzipSync(bytes.subarray(start, end)).toString('utf8'), end };
    } catch (cause) {
      if (!String((cause as NodeJS.ErrnoException).code).startsWith('Z_')) throw cause;
    }
  }
  return undefined;
}
