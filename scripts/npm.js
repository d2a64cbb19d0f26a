import { spawnSync } from 'node:child_process';

/**
 * npm without a shell where it tells its own path, as it does to the scripts it runs.
 * @param {string[]} command
 * @param {string} [cwd]
 */
export const npm = (command, cwd) => {
  const self = process.env['npm_execpath'];
  return self
    ? spawnSync(process.execPath, [self, ...command], { encoding: 'utf8', cwd })
    : spawnSync('npm', command, { encoding: 'utf8', cwd, shell: process.platform === 'win32' });
};

/** A registry that cannot be reached is noticed soon. */
export const QUICK = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=2000'];
