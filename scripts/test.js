import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { root } from './bundle.js';
import { memoryFolder } from './memory-folder.js';
import { newerNode } from './newer-node.js';
import { NEWER_NODE, NEWER_NODE_TESTS, SLOW_TESTS, STEPS } from './steps.js';

/**
 *   npm test             what protects main: every test, random ones a share as often, and a share of the tests on a newer Node
 *   npm run check        without the slow tests and the newer Node
 *   npm run test:long    every round and every hostile input, all tests on both Nodes, and the real client for a whole day
 */
const OPTIONS = ['--fast', '--long'];
const [fast, long] = OPTIONS.map((option) => process.argv.includes(option));
const vitestArguments = process.argv.slice(2).filter((argument) => !OPTIONS.includes(argument));
const env = { ...process.env, ...(long ? { HOLDFAST_ROUNDS: 'all', HOLDFAST_ATTACKS: 'all' } : {}) };
/** The long run and the tests on the newer Node use the disk. */
const inMemory = long ? undefined : memoryFolder();

/** @typedef {{ name: string, ok: boolean, seconds: number, passed: number, failed: number, note?: string }} Outcome */

/**
 * Vitest's own totals; a suite that could not run at all counts as one failure.
 * @param {string} file
 * @param {boolean} ok
 */
const totals = (file, ok) => {
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(file, 'utf8'));
    return { passed: numPassedTests, failed: Math.max(numFailedTests, ok ? 0 : 1) };
  } catch (error) {
    console.error(`no totals in ${path.relative(root, file)}: ${error instanceof Error ? error.message : String(error)}`);
    return { passed: 0, failed: 1 };
  }
};

/**
 * @param {string} name
 * @param {string} node
 * @param {readonly string[]} command
 * @param {boolean} suite
 * @param {string} [folder] for the files of the tests
 * @returns {Outcome}
 */
const runStep = (name, node, command, suite, folder) => {
  console.log(`\n── ${name}`);
  const started = performance.now();
  const report = path.join(root, 'node_modules/.cache/holdfast-tests', `${name.replaceAll(/\W+/g, '-')}.json`);
  rmSync(report, { force: true });
  mkdirSync(path.dirname(report), { recursive: true });
  const reporters = suite ? ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`] : [];
  const { status } = spawnSync(node, [...command, ...reporters], {
    stdio: 'inherit',
    cwd: root,
    env: { ...env, ...(folder !== undefined && { HOLDFAST_TEST_FOLDER: folder }) },
  });
  const ok = status === 0;
  const counts = suite ? totals(report, ok) : { passed: 0, failed: ok ? 0 : 1 };
  const seconds = (performance.now() - started) / 1000;
  console.log(`── ${name}: ${ok ? 'ok' : 'FAILED'} in ${seconds.toFixed(1)} s`);
  return { name, ok, seconds, ...counts };
};

/** Runs on a newer Node. Without a network this is reported as skipped, and as a failure in CI. */
const runOnNewerNode = () => {
  const name = `tests on Node ${NEWER_NODE}`;
  const skip = (/** @type {string} */ note, ok = true) => {
    console.log(`\n── ${name}: ${ok ? 'SKIPPED' : 'FAILED'}, ${note}`);
    return { name, ok, seconds: 0, passed: 0, failed: ok ? 0 : 1, note };
  };
  if (Number(process.versions.node.split('.')[0]) >= NEWER_NODE) return skip(`this is Node ${process.version} already`);
  const node = newerNode(NEWER_NODE);
  if ('reason' in node) return skip(node.reason, process.env['CI'] !== 'true');
  return runStep(name, node.program, ['node_modules/vitest/vitest.mjs', 'run', ...(long ? [] : NEWER_NODE_TESTS)], true);
};

const outcomes = STEPS.map(({ name, command, suite = false }) => {
  const more = suite ? [...(fast ? ['--exclude', SLOW_TESTS] : []), ...vitestArguments] : [];
  return runStep(suite ? `${name} on Node ${process.versions.node.split('.')[0]}` : name, process.execPath, [...command, ...more], suite, inMemory);
});
if (inMemory !== undefined) rmSync(inMemory, { recursive: true, force: true });
const furtherOutcomes = fast ? [] : [runOnNewerNode()];
if (long) furtherOutcomes.push(runStep('real clients', process.execPath, ['scripts/clients.js', '--soak'], false));

console.log('');
for (const { name, ok, seconds, passed, failed, note } of [...outcomes, ...furtherOutcomes]) {
  const count = passed > 0 ? `${passed} passed, ${failed} failed` : '';
  console.log(
    `${ok ? (note ? 'skip' : 'ok  ') : 'FAIL'}  ${`${seconds.toFixed(1)} s`.padStart(8)}  ${name}${count && `: ${count}`}${note ? ` (${note})` : ''}`,
  );
}

// Tests that ran on both Nodes pass once; a failure counts wherever it happened.
const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
const failed = [...outcomes, ...furtherOutcomes].reduce((sum, outcome) => sum + outcome.failed, 0);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
