import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './bundle.js';
import { npm, QUICK } from './npm.js';

/**
 * Adds what `npm install` leaves out of package-lock.json when the registry does not have the binaries of every platform: without those entries
 * `npm ci` refuses the file, although it needs only the binaries of its own platform. Entries without a checksum get one where the registry has it.
 */

const OS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const CPU = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];

/** @typedef {{ version: string, integrity?: string, dev?: boolean, optional?: boolean, os?: string[], cpu?: string[], optionalDependencies?: Record<string, string> }} Entry */

/** The platform of a binary package, from its name. @param {string} name */
const platformOf = (name) => {
  const words = name.split(/[/-]/);
  const [os, cpu] = [OS, CPU].map((known) => known.filter((word) => words.includes(word)));
  const libc = words.some((word) => word.startsWith('musl')) ? ['musl'] : words.includes('gnu') ? ['glibc'] : [];
  return Object.fromEntries(Object.entries({ os, cpu, libc }).filter(([, values]) => values !== undefined && values.length > 0));
};

/** Optional packages that the lock names but has no entry for. @param {Record<string, Entry>} packages */
export const missingEntries = (packages) =>
  Object.entries(packages).flatMap(([at, entry]) =>
    Object.entries(at === '' ? {} : (entry.optionalDependencies ?? {}))
      .filter(([name]) => !(`node_modules/${name}` in packages) && !(`${at}/node_modules/${name}` in packages))
      .map(([name, version]) => ({ name, version, dev: entry.dev === true })),
  );

/** Packages that npm would install without comparing them to a checksum. @param {Record<string, Entry>} packages */
export const unverified = (packages) => Object.entries(packages).filter(([at, entry]) => at !== '' && entry.integrity === undefined);

/** @param {string} name @param {string} version */
const publishedIntegrity = (name, version) => {
  const { status, stdout } = npm(['view', `${name}@${version}`, 'dist.integrity', ...QUICK], root);
  return status === 0 && stdout.startsWith('sha512-') ? stdout.trim() : undefined;
};

if (process.argv[1] === import.meta.filename) {
  const file = path.join(root, 'package-lock.json');
  const lock = JSON.parse(readFileSync(file, 'utf8'));
  const missing = missingEntries(lock.packages);
  for (const { name, version, dev } of missing) {
    lock.packages[`node_modules/${name}`] = { version, ...(dev ? { dev } : {}), optional: true, ...platformOf(name) };
  }
  for (const [at, entry] of unverified(lock.packages)) {
    const integrity = publishedIntegrity(at.slice(at.lastIndexOf('node_modules/') + 'node_modules/'.length), entry.version);
    if (integrity !== undefined) entry.integrity = integrity;
  }
  lock.packages = Object.fromEntries(Object.entries(lock.packages).toSorted(([a], [b]) => a.localeCompare(b, 'en')));
  writeFileSync(file, `${JSON.stringify(lock, undefined, 2)}\n`);
  console.log(`${missing.length} entries added to package-lock.json; ${unverified(lock.packages).length} have no checksum in this registry`);
}
