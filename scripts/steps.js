/**
 * The steps of `npm test`, in this order.
 * @type {readonly { name: string, command: readonly string[], suite?: boolean }[]}
 */
export const STEPS = [
  { name: 'format', command: ['node_modules/oxfmt/bin/oxfmt', '--check'] },
  { name: 'lint', command: ['node_modules/oxlint/bin/oxlint', 'src', 'viewer', 'test', 'scripts', 'bench', 'vitest.config.ts'] },
  { name: 'types', command: ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json'] },
  { name: 'types of the pure layers', command: ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.pure.json'] },
  { name: 'types of the web page', command: ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.viewer.json'] },
  { name: 'build', command: ['scripts/build.js'] },
  { name: 'tests', command: ['node_modules/vitest/vitest.mjs', 'run'], suite: true },
  { name: 'unused files, exports and packages', command: ['node_modules/knip/bin/knip.js'] },
  { name: 'package', command: ['node_modules/publint/src/cli.js', '--strict'] },
];

/** Test files that take long: left out by `--fast`. */
export const SLOW_TESTS = '**/*.slow.test.ts';

/** The newer Node that tests run on once more. */
export const NEWER_NODE = 24;

/** The tests that `npm test` runs there: those on the disk, the database, other processes and the protocol. */
export const NEWER_NODE_TESTS = [
  'test/adapters/files',
  'test/adapters/sqlite',

  'test/processes',
  'test/edges/mcp/server.test.ts',
];
