import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';

type Load = (module: { exports: object }, require: NodeJS.Require, exports: object, filename: string, folder: string) => void;

/**
 * Runs a bundle that lies beside this program, with the machine code that an earlier run left behind: parsing and compiling
 * is a third of what a search costs. Kept after a typical run, when V8 has compiled what the next one will use. The cache lies beside the program, so it is trusted as the program is; where nothing can
 * be written there, the bundle simply runs without.
 */
export function runCached(folder: string, name: string, require: NodeJS.Require, isTypical: boolean): void {
  const file = join(folder, name);
  const { size, mtimeMs } = statSync(file);
  // V8 tells programs apart by length alone, so the name says which one this is.
  const cache = join(folder, '.cache', `${name}-${size}-${Math.floor(mtimeMs)}-${process.version}-${process.arch}`);
  const cachedData = read(cache);
  const source = readFileSync(file, 'utf8').replace('#!', '//');
  const script = new Script(`(function (module, require, exports, __filename, __dirname) {${source}\n})`, {
    filename: file,
    ...(cachedData && { cachedData }),
  });
  if (isTypical && (cachedData === undefined || script.cachedDataRejected)) process.once('exit', () => keep(cache, script.createCachedData()));
  const module = { exports: {} };
  (script.runInThisContext() as Load)(module, require, module.exports, file, folder);
}

function read(cache: string): Buffer | undefined {
  try {
    return readFileSync(cache);
  } catch {
    return undefined;
  }
}

function keep(cache: string, data: Buffer): boolean {
  try {
    mkdirSync(dirname(cache), { recursive: true });
    writeFileSync(`${cache}.${process.pid}`, data);
    renameSync(`${cache}.${process.pid}`, cache);
    return true;
  } catch {
    return false;
  }
}
