import fs from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream';
import zlib from 'node:zlib';
import { Failure } from '../../core/failure.ts';
import type { EpisodeArchive } from '../../core/ports/episodes.ts';

const EXTENSION = '.episode.gz';
/** Measured: higher levels take twice the time for a tenth less. */
const LEVEL = 4;
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

const failure = (doing: string, cause: unknown): Failure =>
  new Failure('IO_ERROR', `${doing}: ${(cause as Error).message}`, { hint: 'check the disk and the permissions of the home', cause });

/** A session's entries as a gzip file with a member for every import that added to it: any tool reads it, and each member carries its checksum. */
export class ArchiveFolder implements EpisodeArchive {
  readonly #folder: string;
  readonly #unsettled = new Set<string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  append(name: string, length: number, lines: readonly string[]): number {
    const file = this.#file(name);
    const member = zlib.gzipSync(`${lines.join('\n')}\n`, { level: LEVEL });
    try {
      const handle = this.#open(file);
      try {
        const there = fs.fstatSync(handle).size;
        if (there > length) fs.ftruncateSync(handle, length);
        const at = Math.min(there, length);
        for (let written = 0; written < member.length;) written += fs.writeSync(handle, member, written, member.length - written, at + written);
        this.#unsettled.add(file);
        return at + member.length;
      } finally {
        fs.closeSync(handle);
      }
    } catch (cause) {
      throw failure(`cannot write ${file}`, cause);
    }
  }

  async settle(): Promise<void> {
    const files = [...this.#unsettled];
    this.#unsettled.clear();
    await Promise.all(files.map(syncFile));
  }

  async *lines(name: string, length?: number): AsyncGenerator<string> {
    const file = this.#file(name);
    if (length === 0 || !fs.existsSync(file)) return;
    const unzipped = zlib.createGunzip();
    pipeline(fs.createReadStream(file, length === undefined ? {} : { end: length - 1 }), unzipped, () => undefined);
    let rest = '';
    try {
      for await (const chunk of unzipped.setEncoding('utf8')) {
        const parts = (rest + String(chunk)).split('\n');
        rest = parts.pop() ?? '';
        yield* parts;
      }
    } catch (cause) {
      // What a crash tore off at the end was never acknowledged; what came before it was given.
      if (!String((cause as NodeJS.ErrnoException).code).startsWith('Z_')) throw failure(`cannot read ${file}`, cause);
    }
  }

  remove(name: string): void {
    try {
      fs.rmSync(this.#file(name), { force: true });
    } catch (cause) {
      throw failure(`cannot remove ${this.#file(name)}`, cause);
    }
  }

  names(): readonly { readonly name: string; readonly length: number }[] {
    if (!fs.existsSync(this.#folder)) return [];
    const files = fs.readdirSync(this.#folder).filter((file) => file.endsWith(EXTENSION));
    return files.toSorted().map((file) => ({ name: file.slice(0, -EXTENSION.length), length: fs.statSync(path.join(this.#folder, file)).size }));
  }

  #file(name: string): string {
    return path.join(this.#folder, `${name}${EXTENSION}`);
  }

  #open(file: string): number {
    const flags = fs.constants.O_RDWR | fs.constants.O_CREAT;
    try {
      return fs.openSync(file, flags, FILE_MODE);
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause;
      fs.mkdirSync(this.#folder, { recursive: true, mode: FOLDER_MODE });
      return fs.openSync(file, flags, FILE_MODE);
    }
  }
}

/** A file that was dropped in the meantime has nothing to settle. */
async function syncFile(file: string): Promise<void> {
  try {
    const handle = await fs.promises.open(file, 'r+');
    try {
      await handle.datasync();
    } finally {
      await handle.close();
    }
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw failure(`cannot settle ${file}`, cause);
  }
}
