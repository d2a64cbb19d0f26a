import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { root } from './bundle.js';

/** @param {string} file */
const changed = (file) => statSync(path.join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** @param {string} folder */
const newestUnder = (folder) => {
  const files = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' });
  return Math.max(changed(folder), ...files.map((file) => changed(path.join(folder, file))));
};

/** Whether `dist/` is missing or older than what it is made from; `meta.json` is the last file a build writes. */
const stale = () =>
  changed('dist/meta.json') <
  Math.max(newestUnder('src'), newestUnder('scripts'), newestUnder('plugin'), newestUnder('viewer'), changed('package.json'), changed('package-lock.json'));

/**
 * Runs Node on a script of the project and gives its exit code.
 * @param {string[]} command
 * @param {import('node:child_process').StdioOptions} [stdio]
 */
export const runNode = (command, stdio = 'inherit') => {
  const { status, signal } = spawnSync(process.execPath, command, { stdio });
  return signal ? 1 : (status ?? 1);
};

/** Builds when needed, speaking on stderr only: stdout belongs to the program that is about to run. */
export const ensureBuilt = () => (stale() ? runNode([path.join(root, 'scripts/build.js')], ['ignore', 2, 2]) : 0);
