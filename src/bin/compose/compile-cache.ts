import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Script } from 'node:vm';

const SETTLED_MS = 5_000;

type Load = (module: { exports: object }, require: NodeJS.Require, exports: object, filename: string, folder: string) => void;

/**
 * Runs a bundle that lies beside this program, with the machine code that an earlier run left behind: parsing and compiling
 * is a third of what a search costs. Kept after a typical run, when V8 has compiled what the next one will use. The cache lies beside the program, so it is trusted as the program is; where nothing can
 * be written there, the bundle simply runs without.
 */
export function runCached(folder: string, name: string, require: NodeJS.Require, isTypical: boolean): object {
  const file = join(folder, name);
  const { size, mtimeMs } = statSync(file);
  // V8 tells programs apart by length alone, so the name says which one this is.
  const cache = join(folder, '.cache', `${name}-${size}-${Math.floor(mtimeMs)}-${process.version}-${process.arch}`);
  const cachedData = read(cache);
  // Bundles are ASCII, and this is the quickest way to read that.
  const source = readFileSync(file, 'latin1').replace('#!', '//');
  const script = new Script(`(function (module, require, exports, __filename, __dirname) {${source}\n})`, {
    filename: file,
    ...(cachedData && { cachedData }),
  });
  if (isTypical && (cachedData === undefined || script.cachedDataRejected)) {
    const keepNow = (): boolean => keep(cache, name, script.createCachedData());
    process.once('exit', keepNow);
    // A server may be ended without being asked.
    setTimeout(keepNow, SETTLED_MS).unref();
  }
  const module = { exports: {} };
  (script.runInThisContext() as Load)(module, cachingRequire(folder, require), module.exports, file, folder);
  return module.exports;
}

/** What is loaded late and often gets a cache as well. Others may want `import()`, which a script does not have. */
const CACHED_LATE: ReadonlySet<string> = new Set(['./late-commands.js', './late-files.js', './late-recall.js']);
const loaded = new Map<string, object>();

function cachingRequire(folder: string, plain: NodeJS.Require): NodeJS.Require {
  const load = (id: string): unknown => {
    if (!CACHED_LATE.has(id)) return plain(id);
    const known = loaded.get(id) ?? runCached(folder, basename(id), plain, true);
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
function keep(cache: string, name: string, data: Buffer): boolean {
  try {
    mkdirSync(dirname(cache), { recursive: true });
    writeFileSync(`${cache}.${process.pid}`, data);
    renameSync(`${cache}.${process.pid}`, cache);
    for (const old of readdirSync(dirname(cache)))
      if (old !== basename(cache) && old.startsWith(`${name}-`)) rmSync(join(dirname(cache), old), { force: true });
    return true;
  } catch {
    return false;
  }
}
