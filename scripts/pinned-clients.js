import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './bundle.js';
import { npm, QUICK } from './npm.js';

/** @type {Record<string, Record<string, string>>} */
const PINS = JSON.parse(readFileSync(path.join(root, 'test/clients/pins.json'), 'utf8'));

/** Node's report names glibc only where it is the C library; the header typings do not know the field. */
const musl = () => process.platform === 'linux' && !('glibcVersionRuntime' in /** @type {any} */ (process.report.getReport()).header);

/** The platform as the client's packages name it. */
const platform = () => `${process.platform}-${process.arch}${musl() ? '-musl' : ''}`;

/**
 * One version of the client, by `npm ci` from a lock with the pinned hash, or why it cannot be installed.
 * @param {string} version
 * @returns {{ version: string, program: string } | { version: string, reason: string }}
 */
const install = (version) => {
  const integrity = PINS[version]?.[platform()];
  if (integrity === undefined) return { version, reason: `there is no client for ${platform()}` };
  const name = `@anthropic-ai/claude-code-${platform()}`;
  const folder = path.join(root, 'node_modules/.cache/clients', version);
  const program = path.join(folder, 'node_modules', name, 'claude');
  if (existsSync(program)) return { version, program };
  mkdirSync(folder, { recursive: true });
  const dependencies = { [name]: version };
  const packages = { '': { dependencies }, [`node_modules/${name}`]: { version, integrity } };
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
  writeFileSync(path.join(folder, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, requires: true, packages }));
  const { stderr, error } = npm(['ci', '--ignore-scripts', ...QUICK, '--prefix', folder], folder);
  if (existsSync(program)) return { version, program };
  return { version, reason: error?.message ?? /^npm error code (.+)$/m.exec(stderr)?.[1] ?? 'npm did not say why' };
};

export const installClients = () => Object.keys(PINS).map(install);

/**
 * Packages of a folder of tests, by `npm ci` from the lock beside it, or why they cannot be installed.
 * @param {string} name
 * @returns {{ folder: string } | { reason: string }}
 */
export const installPackages = (name) => {
  const folder = path.join(root, 'node_modules/.cache/clients', name);
  const packages = path.join(folder, 'node_modules');
  const source = path.join(root, 'test/clients', name);
  const lock = (/** @type {string} */ place) => readFileSync(path.join(place, 'package-lock.json'), 'utf8');
  if (existsSync(path.join(packages, '.package-lock.json')) && lock(folder) === lock(source)) return { folder: packages };
  cpSync(source, folder, { recursive: true });
  const { status, stderr, error } = npm(['ci', '--ignore-scripts', ...QUICK, '--prefix', folder], folder);
  return status === 0 ? { folder: packages } : { reason: error?.message ?? /^npm error code (.+)$/m.exec(stderr)?.[1] ?? 'npm did not say why' };
};

/** A command prefix that runs a program in a network with loopback only; empty if the system does not allow it. */
export const isolationCommand = () => {
  const up = ['sh', '-c', 'ip link set lo up && exec "$@"', 'isolated'];
  const commands = [
    ['unshare', '-n', ...up],
    ['unshare', '-r', '-n', ...up],
  ];
  return commands.find(([program = '', ...args]) => spawnSync(program, [...args, 'true']).status === 0) ?? [];
};
