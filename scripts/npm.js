import { spawnSync } from 'node:child_process';

/**
 * Runs npm without a shell if npm has set its own path in the environment, as it does for its scripts.
 * @param {string[]} command
 * @param {string} [cwd]
 */
export const npm = (command, cwd) => {
  const self = process.env['npm_execpath'];
  return self
    ? spawnSync(process.execPath, [self, ...command], { encoding: 'utf8', cwd })
    : spawnSync('npm', command, { encoding: 'utf8', cwd, shell: process.platform === 'win32' });
};

/** Fails soon if the registry cannot be reached. */
export const QUICK = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=2000'];
