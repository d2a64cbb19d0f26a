import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { root } from './bundle.js';

/** @param {string} file */
const changedAt = (file) => statSync(path.join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** @param {string} folder */
const newestUnder = (folder) => {
  const files = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' });
  return Math.max(changedAt(folder), ...files.map((file) => changedAt(path.join(folder, file))));
};

/** Whether `dist/` is missing or older than its sources; a build writes `meta.json` last. */
const isStale = () =>
  changedAt('dist/meta.json') <
  Math.max(newestUnder('src'), newestUnder('scripts'), newestUnder('plugin'), newestUnder('viewer'), changedAt('package.json'), changedAt('package-lock.json'));

/**
 * Runs Node on a script of the project and gives its exit code.
 * @param {string[]} command
 * @param {import('node:child_process').StdioOptions} [stdio]
 */
export const runNode = (command, stdio = 'inherit') => {
  const { status, signal } = spawnSync(process.execPath, command, { stdio });
  return signal ? 1 : (status ?? 1);
};

/** Builds if needed. Prints to stderr only, because stdout belongs to the program that runs next. */
export const ensureBuilt = () => (isStale() ? runNode([path.join(root, 'scripts/build.js')], ['ignore', 2, 2]) : 0);
