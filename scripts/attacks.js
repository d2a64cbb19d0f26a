import { spawnSync } from 'node:child_process';
import { root } from './bundle.js';
import { ensureBuilt } from './fresh.js';

/** Every hostile input of test/attacks, counted by door; `npm test` tries a share of them. */
const built = ensureBuilt();
const command = [
  'node_modules/vitest/vitest.mjs',
  'run',
  'test/attacks',
  '--reporter=default',
  '--reporter=./scripts/attack-counts.js',
  ...process.argv.slice(2),
];
process.exitCode =
  built === 0 ? (spawnSync(process.execPath, command, { cwd: root, env: { ...process.env, HOLDFAST_ATTACKS: 'all' }, stdio: 'inherit' }).status ?? 1) : built;
