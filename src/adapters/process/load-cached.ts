import { closeSync, fstatSync, mkdirSync, openSync, readdirSync, readFileSync, readSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { Script } from 'node:vm';

/** A server may be killed, so its cache is written after it has run for a while. */
const SETTLED_MS = 5_000;

const HEAD = '(function (module, require, exports, __filename, __dirname) {';
const TAIL = '\n})';

/** The interface of a bundle: its exports, the chunks that it has loaded, and the chunks that few runs load. */
interface BundleModule {
  exports: object;
  loaded?: Readonly<Record<string, unknown>>;
  rare?: readonly string[];
}

type Wrapper = (module: BundleModule, require: NodeJS.Require, exports: object, filename: string, folder: string) => void;

export interface CachedBundle {
  readonly folder: string;
  readonly bundle: string;
  /** The use that the bundle is loaded for: V8 caches the functions that this use has compiled. */
  readonly use: string;
  readonly require: NodeJS.Require;
  /** Whether the use is a short run: its cache grows with what later runs load. */
  readonly isShort: boolean;
}

/** A short run that took longer did something rare, such as making the index: its code is not cached. */
const TYPICAL_MICROSECONDS = 1_000_000;

/**
 * Loads a bundle with the code that V8 compiled for the same use before, which halves the start of a process. The cache lies beside the program and is
 * trusted as the program is; in a folder that cannot be written everything runs without it. Node 22 has this built in; Node 20 does not.
 */
export function loadCached({ folder, bundle, use, require, isShort }: CachedBundle): object {
  const file = `${folder}/${bundle}`;
  const { source, version } = readWrapped(file);
  // V8 compares little more than the length of a source, so the cache's name holds the version of the bundle.
  const name = `${bundle}-${version}-${process.version}-${process.arch}-${use}`;
  const cached = readCache(`${folder}/.cache/${name}`);
  const script = new Script(source, { filename: file, ...(cached && { cachedData: cached.data }) });
  const cachedChunks = cached === undefined || script.cachedDataRejected === true ? undefined : new Set(cached.chunks);
  const module: BundleModule = { exports: {} };
  const save = (): void => {
    const chunks = Object.keys(module.loaded ?? {});
    if (cachedChunks && (chunks.every((chunk) => cachedChunks.has(chunk)) || chunks.some((chunk) => module.rare?.includes(chunk)))) return;
    const { user, system } = process.cpuUsage();
    if (isShort && user + system > TYPICAL_MICROSECONDS) return;
    writeCache(`${folder}/.cache`, name, `${bundle}-${version}-`, script.createCachedData(), [...new Set([...(cachedChunks ?? []), ...chunks])]);
  };
  if (cachedChunks === undefined || isShort) process.once('exit', save);
  if (cachedChunks === undefined) setTimeout(save, SETTLED_MS).unref();
  (script.runInThisContext() as Wrapper)(module, rememberModules(require), module.exports, file, folder);
  return module.exports;
}

/** The bundle as a function, read in one piece: joining strings of this size starts a garbage collection. */
function readWrapped(file: string): { readonly source: string; readonly version: string } {
  const handle = openSync(file, 'r');
  try {
    const { size, mtimeMs } = fstatSync(handle);
    const bytes = Buffer.allocUnsafe(HEAD.length + size + TAIL.length);
    bytes.write(HEAD, 0, 'latin1');
    for (let at = 0; at < size;) {
      const count = readSync(handle, bytes, HEAD.length + at, size - at, at);
      if (count === 0) throw new Error(`${file} is shorter than it was`);
      at += count;
    }
    // Makes the first line, which is for shells, a comment.
    bytes.write('//', HEAD.length, 'latin1');
    bytes.write(TAIL, HEAD.length + size, 'latin1');
    // Bundles are ASCII, and this is the quickest way to read that.
    return { source: bytes.toString('latin1'), version: `${size}-${Math.floor(mtimeMs)}` };
  } finally {
    closeSync(handle);
  }
}

/** Remembers required modules: a bundle requires Node's modules dozens of times, and Node's loader is slow to find them again. */
function rememberModules(plain: NodeJS.Require): NodeJS.Require {
  const known = new Map<string, unknown>();
  const load = (id: string): unknown => {
    if (!known.has(id)) known.set(id, plain(id));
    return known.get(id);
  };
  return Object.assign(load, plain);
}

/** The compiled code, and after it the names of the chunks that were loaded, with their length. */
function readCache(file: string): { readonly data: Buffer; readonly chunks: readonly string[] } | undefined {
  try {
    const bytes = readFileSync(file);
    const end = bytes.length - LENGTH_BYTES;
    const start = end - bytes.readUInt32LE(end);
    return { data: bytes.subarray(0, start), chunks: bytes.toString('latin1', start, end).split('\n') };
  } catch {
    return undefined;
  }
}

const LENGTH_BYTES = 4;

/** Also deletes the caches of other versions of the bundle. */
function writeCache(folder: string, name: string, current: string, data: Buffer, chunks: readonly string[]): void {
  try {
    const names = Buffer.from(chunks.join('\n'), 'latin1');
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32LE(names.length);
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${folder}/${name}.${process.pid}`, Buffer.concat([data, names, length]));
    renameSync(`${folder}/${name}.${process.pid}`, `${folder}/${name}`);
    const bundle = current.slice(0, current.indexOf('-') + 1);
    for (const old of readdirSync(folder)) if (old.startsWith(bundle) && !old.startsWith(current)) rmSync(`${folder}/${old}`, { force: true });
  } catch {
    // The next start tries again.
    return;
  }
}
