import { isBuiltin } from 'node:module';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { bundle, entries, notices } from '../../scripts/build.js';

/** What a bundle may weigh and carry: code that a process starts with is code that it waits for. Where nobody waits, the limit only tells what slipped in. */
interface Limit {
  readonly kilobytes: number;
  /** Packages bundled into it. */
  readonly packages: readonly string[];
  /** Packages it loads from outside when it needs them. */
  readonly outside: readonly string[];
  /** Modules of Node that cost too much at its start. */
  readonly without: readonly string[];
}

const HEAVY = ['node:http', 'node:https', 'node:http2', 'node:inspector', 'node:repl', 'node:test', 'node:tls'];

/** A search waits for these, so that it loads them only when it must. */
const SLOW = [...HEAVY, 'node:child_process', 'node:crypto', 'node:module', 'node:os', 'node:util', 'node:net', 'node:stream', 'node:timers/promises'];
const LATE = [
  './late-bundles.js',
  './late-editor.js',
  './late-embedding.js',
  './late-episodes.js',
  './late-events.js',
  './late-files.js',
  './late-mcp.js',
  './late-hierarchy.js',
  './late-migration.js',
  './late-ranking.js',
  './late-recall.js',
  './late-scribe.js',
  './late-settings.js',
  './late-synthesis.js',
  './late-setup.js',
];

/** The start of a session is waited for: nothing of MCP, HTTP, YAML or schemas is in what answers it. */
const START = SLOW.filter((name) => name !== 'node:net');

const LIMITS: Readonly<Record<string, Limit>> = {
  cli: { kilobytes: 3, packages: [], outside: [], without: SLOW },
  slash: { kilobytes: 6, packages: [], outside: [], without: SLOW },
  'late-cli': { kilobytes: 840, packages: ['diff', 'yaml', 'zod'], outside: LATE, without: HEAVY },
  hook: { kilobytes: 15, packages: [], outside: [], without: SLOW },
  'late-old-node': { kilobytes: 8, packages: [], outside: [], without: SLOW },
  'late-place': { kilobytes: 60, packages: [], outside: [], without: START },
  'late-hook': { kilobytes: 152, packages: [], outside: LATE, without: START },
  finish: { kilobytes: 820, packages: ['yaml', 'zod'], outside: [...LATE, './late-hook.js', './late-episodes-worker.js'], without: HEAVY },
  'late-events': { kilobytes: 485, packages: ['yaml', 'zod'], outside: [...LATE, './late-episodes-worker.js'], without: HEAVY },
  mcp: { kilobytes: 3, packages: [], outside: [], without: SLOW },
  'late-mcp': { kilobytes: 675, packages: ['yaml', 'zod'], outside: [...LATE, './late-hook.js', './late-episodes-worker.js'], without: HEAVY },
  'late-episodes': { kilobytes: 370, packages: ['yaml', 'zod'], outside: [...LATE, './late-episodes-worker.js'], without: HEAVY },
  'late-episodes-worker': { kilobytes: 3, packages: [], outside: [], without: SLOW },
  'late-episodes-keeper': { kilobytes: 48, packages: [], outside: [], without: HEAVY },
  'late-scribe': { kilobytes: 580, packages: ['yaml', 'zod'], outside: LATE, without: HEAVY },
  'late-embedding': { kilobytes: 80, packages: [], outside: [], without: HEAVY },
  'late-editor': { kilobytes: 5, packages: [], outside: [], without: HEAVY },
  'late-files': { kilobytes: 270, packages: ['yaml', 'zod'], outside: [], without: HEAVY },
  'late-bundles': { kilobytes: 400, packages: ['yaml', 'zod'], outside: LATE, without: HEAVY },
  'late-hierarchy': { kilobytes: 80, packages: ['yaml', 'zod'], outside: LATE, without: HEAVY },
  'late-migration': { kilobytes: 240, packages: ['yaml', 'zod'], outside: LATE, without: HEAVY },
  'late-ranking': { kilobytes: 71, packages: [], outside: LATE, without: SLOW },
  'late-recall': { kilobytes: 187, packages: [], outside: LATE, without: HEAVY },
  'late-synthesis': { kilobytes: 30, packages: [], outside: [], without: HEAVY },
  'late-setup': { kilobytes: 50, packages: ['diff'], outside: [], without: HEAVY },
  'late-settings': { kilobytes: 30, packages: [], outside: [], without: HEAVY },
  conformance: { kilobytes: 420, packages: ['yaml', 'zod'], outside: LATE, without: HEAVY },
  start: { kilobytes: 8, packages: ['yaml', 'zod'], outside: LATE, without: HEAVY },
};

const nameOf = (file: string): string => path.basename(file).replace(/\.\w+$/, '');
const packageOf = (input: string): string | undefined => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];
const distinct = (values: readonly (string | undefined)[]): string[] => [...new Set(values.filter((value) => value !== undefined))].toSorted();

const names = (await entries()).map(({ out }) => out);
const built = await bundle('dist', { write: false });

test('every bundle has its limits, and every limit its bundle', () => {
  expect(names.toSorted()).toEqual(Object.keys(LIMITS).toSorted());
});

describe.each(names)('dist/%s.js', (name) => {
  const limit = LIMITS[name];
  const output = Object.entries(built?.metafile.outputs ?? {}).find(([file]) => nameOf(file) === name)?.[1];
  const code = built?.outputFiles?.find((file) => nameOf(file.path) === name)?.text;
  if (!built || !output || code === undefined) throw new Error(`the build made no ${name}.js`);

  test('stays within its size', () => {
    expect(output.bytes / 1024).toBeLessThanOrEqual(limit?.kilobytes ?? 0);
  });

  test('bundles only the packages it may', () => {
    const used = Object.entries(output.inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
    expect(limit?.packages).toEqual(expect.arrayContaining(distinct(used.map(([input]) => packageOf(input)))));
  });

  test('imports nothing but Node and the packages left outside', () => {
    const asked = distinct(output.imports.filter((entry) => entry.external).map((entry) => entry.path));
    const strange = asked.filter((item) => !isBuiltin(item) && !limit?.outside.includes(item));
    expect(strange).toEqual([]);
    expect(asked.filter((item) => limit?.without.includes(item.replace(/^(?:node:)?/, 'node:')))).toEqual([]);
  });

  test('holds no test code and starts by itself', () => {
    expect(Object.keys(output.inputs).filter((input) => /^(?:test|bench|scripts)\//.test(input))).toEqual([]);
    expect(code).toMatch(/^#!\/usr\/bin\/env node\n/);
  });

  test('is plain ASCII, which is how it is read', () => {
    expect(code.match(/.{0,20}[^\x00-\x7f]/)).toBeNull();
  });

  test('passes on the licences of what it contains', async () => {
    const text = await notices(built.metafile);
    for (const used of distinct(Object.keys(output.inputs).map(packageOf)))
      expect(text).toMatch(new RegExp(`^${used.replaceAll('/', String.raw`\/`)} \\d`, 'm'));
  });
});
