import { closeSync, fstatSync, mkdirSync, openSync, readdirSync, readFileSync, readSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Script } from 'node:vm';

const SETTLED_MS = 5_000;

const IMPORTING = '-import';
type Mode = '' | typeof IMPORTING;

/**
 * How much a function has to do before V8 compiles it for speed, ten times the usual: an import is over in a second, and compiling beside it on the same two
 * cores took a quarter of all its processor time. What runs for longer is compiled all the same, a little later. Code kept under one setting is not used
 * under another, so an import keeps its own.
 */
export function importing(): Mode {
  process.getBuiltinModule('node:v8').setFlagsFromString('--interrupt-budget=700000');
  return IMPORTING;
}

type Load = (module: { exports: object }, require: NodeJS.Require, exports: object, filename: string, folder: string) => void;

/**
 * Runs a bundle that lies beside this program, with the machine code that an earlier run left behind: parsing and compiling
 * is a third of what a search costs. Kept after a typical run, when V8 has compiled what the next one will use. The cache lies beside the program, so it is trusted as the program is; where nothing can
 * be written there, the bundle simply runs without.
 */
export function runCached(folder: string, name: string, require: NodeJS.Require, isTypical: boolean, mode: Mode = ''): object {
  const file = join(folder, name);
  const { source, size, mtimeMs } = wrapped(file);
  // V8 tells programs apart by length alone, so the name says which one this is.
  const cache = `${folder}/.cache/${name}-${size}-${Math.floor(mtimeMs)}-${process.version}-${process.arch}${mode}`;
  const cachedData = read(cache);
  const script = new Script(source, { filename: file, ...(cachedData && { cachedData }) });
  if (isTypical && (cachedData === undefined || script.cachedDataRejected)) {
    const keepNow = (): boolean => keep(cache, name, mode, script.createCachedData());
    process.once('exit', keepNow);
    // A server may be ended without being asked.
    setTimeout(keepNow, SETTLED_MS).unref();
  }
  const module = { exports: {} };
  (script.runInThisContext() as Load)(module, cachingRequire(folder, require, mode), module.exports, file, folder);
  return module.exports;
}

const HEAD = '(function (module, require, exports, __filename, __dirname) {';
const TAIL = '\n})';

/** A bundle as a function, made in one piece: joining strings of this size would start a garbage collection in most searches. */
function wrapped(file: string): { readonly source: string; readonly size: number; readonly mtimeMs: number } {
  const handle = openSync(file, 'r');
  try {
    const { size, mtimeMs } = fstatSync(handle);
    const bytes = Buffer.allocUnsafe(HEAD.length + size + TAIL.length);
    bytes.write(HEAD, 0, 'latin1');
    for (let at = 0; at < size;) {
      const got = readSync(handle, bytes, HEAD.length + at, size - at, at);
      if (got === 0) throw new Error(`${file} is shorter than it was`);
      at += got;
    }
    // The first line is for shells.
    bytes.write('//', HEAD.length, 'latin1');
    bytes.write(TAIL, HEAD.length + size, 'latin1');
    // Bundles are ASCII, and this is the quickest way to read that.
    return { source: bytes.toString('latin1'), size, mtimeMs };
  } finally {
    closeSync(handle);
  }
}

/** What is loaded late and often gets a cache as well. Others may want `import()`, which a script does not have. */
const CACHED_LATE: ReadonlySet<string> = new Set(['./late-episodes.js', './late-files.js', './late-ranking.js', './late-recall.js']);
const loaded = new Map<string, object>();

function cachingRequire(folder: string, plain: NodeJS.Require, mode: Mode): NodeJS.Require {
  const load = (id: string): unknown => {
    // Kept whatever it is: a bundle asks for Node's modules dozens of times, and Node's loader takes its time to find them again.
    const known = loaded.get(id) ?? (CACHED_LATE.has(id) ? runCached(folder, basename(id), plain, true, mode) : (plain(id) as object));
    loaded.set(id, known);
    return known;
  };
  return Object.assign(load, plain);
}

function read(cache: string): Buffer | undefined {
  try {
    return readFileSync(cache);
  } catch {
    return undefined;
  }
}

/** What earlier versions of the program left goes with it. */
function keep(cache: string, name: string, mode: Mode, data: Buffer): boolean {
  try {
    mkdirSync(dirname(cache), { recursive: true });
    writeFileSync(`${cache}.${process.pid}`, data);
    renameSync(`${cache}.${process.pid}`, cache);
    for (const old of readdirSync(dirname(cache)))
      if (old !== basename(cache) && old.startsWith(`${name}-`) && old.endsWith(IMPORTING) === (mode !== ''))
        rmSync(join(dirname(cache), old), { force: true });
    return true;
  } catch {
    return false;
  }
}
