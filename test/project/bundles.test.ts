import { isBuiltin } from 'node:module';
import { describe, expect, test } from 'vitest';
import { bundle, ENTRIES, notices, STUBS } from '../../scripts/build.js';
import { pack } from '../../scripts/pack.js';

const HEAVY = ['node:http', 'node:https', 'node:http2', 'node:inspector', 'node:repl', 'node:test', 'node:tls'];
/** A process that a user waits for loads these only when it needs them. */
const SLOW = [...HEAVY, 'node:child_process', 'node:crypto', 'node:module', 'node:os', 'node:util', 'node:net', 'node:stream', 'node:timers/promises'];

/** Options of commands are parsed by node:util. */
const SLOW_BUT_PARSING = SLOW.filter((name) => name !== 'node:util');

const EVENT = [
  'src/bin/cli.ts',
  'src/edges/cli/commands/scripts/hook.ts',
  'src/app/runtime/event-process.ts',
  'src/bin/hook.ts',
  'src/bin/wiring/session-machine.ts',
  'src/app/runtime/answer-in-process.ts',
];

const PRESENTED = 'src/app/hooks/present-answer.ts';

/** The code that a run of `holdfast.js` loads before it does anything, while a user waits; its size is counted with short identifiers, so that literal names cost nothing. */
const RUNS: Readonly<Record<string, { readonly modules: readonly string[]; readonly kilobytes: number; readonly without: readonly string[] }>> = {
  search: { modules: ['src/bin/cli.ts', 'src/edges/cli/commands/find/search.ts'], kilobytes: 181, without: SLOW_BUT_PARSING },
  recall: { modules: ['src/bin/cli.ts', 'src/edges/cli/commands/inject/recall.ts'], kilobytes: 199, without: SLOW_BUT_PARSING },
  brief: { modules: ['src/bin/cli.ts', 'src/edges/cli/commands/inject/brief.ts'], kilobytes: 222, without: SLOW_BUT_PARSING },
  'start, deferred': { modules: ['src/bin/hook.ts'], kilobytes: 82, without: SLOW },
  'start, told at once': {
    modules: ['src/bin/hook.ts', 'src/bin/wiring/session-machine.ts', 'src/app/runtime/answer-in-process.ts', 'src/app/hooks/start.ts', PRESENTED],
    kilobytes: 209,
    without: SLOW,
  },
  'prompt as a process': {
    modules: [...EVENT, 'src/app/hooks/prompt.ts', PRESENTED, 'src/app/search/messages.ts', 'src/bin/wiring/messages.ts'],
    kilobytes: 248,
    without: SLOW_BUT_PARSING,
  },
  'tool as a process': {
    modules: [...EVENT, 'src/app/hooks/tool-events.ts', 'src/app/guard/shell-writes.ts', PRESENTED],
    kilobytes: 181,
    without: SLOW_BUT_PARSING,
  },
  server: { modules: ['src/bin/mcp.ts'], kilobytes: 660, without: HEAVY },
};
/** Parsing files is left to runs that find a changed one; the server checks records. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = { server: ['yaml', 'zod'] };

const built = await bundle('dist', { write: false });
const outputs = Object.entries(built.outputs);
const withShortNames = Object.entries((await pack('src/bin/holdfast.ts', { minifyIdentifiers: true })).metafile.outputs);
const packageOf = (input: string): string | undefined => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];
const distinct = (values: readonly (string | undefined)[]): string[] => [...new Set(values.filter((value) => value !== undefined))].toSorted();

/** The chunks that a module is loaded with: its own, and all that those import at once. */
function chunksFor(modules: readonly string[], chunks = outputs): readonly (typeof built.outputs)[string][] {
  const byFile = new Map(chunks);
  const waiting = ['src/bin/holdfast.ts', ...modules].map((module) => {
    const found = chunks.find(([, { entryPoint }]) => entryPoint === module)?.[0];
    if (found === undefined) throw new Error(`${module} is not loaded with import()`);
    return found;
  });
  const seen = new Set<string>();
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    const imports = byFile.get(file)?.imports ?? [];
    waiting.push(...imports.filter(({ kind, external }) => kind === 'import-statement' && external !== true).map(({ path }) => path));
  }
  return [...seen].map((file) => byFile.get(file)).filter((output) => output !== undefined);
}

describe.each(Object.keys(RUNS))('what a run loads at its start: %s', (name) => {
  const { modules, kilobytes, without } = RUNS[name] ?? { modules: [], kilobytes: 0, without: [] };
  const chunks = chunksFor(modules);

  test('stays within its size', () => {
    const bytes = chunksFor(modules, withShortNames).reduce((sum, chunk) => sum + chunk.bytes, 0);
    expect(bytes / 1024).toBeLessThanOrEqual(kilobytes);
  });

  test('carries only the packages it may', () => {
    const inputs = chunks.flatMap((chunk) => Object.entries(chunk.inputs)).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
    expect(PACKAGES[name] ?? []).toEqual(expect.arrayContaining(distinct(inputs.map(([input]) => packageOf(input)))));
  });

  test('asks for no module of Node that is slow to load', () => {
    const asked = distinct(chunks.flatMap(({ imports }) => imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => path)));
    expect(asked.filter((item) => without.includes(item.replace(/^(?:node:)?/, 'node:')))).toEqual([]);
  });
});

/** What a whole bundle weighs on disk; no run loads all of it, so this only catches a package that slips in. What runs load is bounded above. */
const KILOBYTES: Readonly<Record<string, number>> = { 'holdfast.js': 2_400, 'conformance.js': 515, 'team-server.js': 860, 'start.js': 8 };
const STUB_KILOBYTES = 12;

test('the build makes one bundle, its stubs, and the programs of the project', () => {
  const names = ['holdfast', ...ENTRIES.map(({ out }) => out)].map((name) => `${name}.js`);
  expect(built.outputFiles.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
  expect(names.filter((name) => !(name in KILOBYTES)).toSorted()).toEqual(STUBS.map((name) => `${name}.js`).toSorted());
});

test('every stub is the same file under another name', () => {
  const texts = built.outputFiles.filter(({ name }) => STUBS.includes(name.replace(/\.js$/, ''))).map(({ text }) => text);
  expect(new Set(texts).size).toBe(1);
});

describe.each(built.outputFiles)('dist/$name', ({ name, text }) => {
  test('stays within its size', () => {
    expect(text.length / 1024).toBeLessThanOrEqual(KILOBYTES[name] ?? STUB_KILOBYTES);
  });

  test('is plain ASCII, which is how it is read, and starts by itself', () => {
    expect(text.match(/.{0,20}[^\x00-\x7f]/)).toBeNull();
    expect(text).toMatch(/^#!\/usr\/bin\/env node\n/);
  });
});

test('the bundles import nothing but Node', () => {
  const asked = distinct(outputs.flatMap(([, { imports }]) => imports.filter(({ external }) => external === true).map(({ path }) => path)));
  expect(asked.filter((item) => !isBuiltin(item))).toEqual([]);
});

test('what is shipped holds no test code', () => {
  const own = new Set(['dist/conformance.js', 'dist/start.js']);
  const inputs = outputs.filter(([file]) => !own.has(file)).flatMap(([, output]) => Object.keys(output.inputs));
  expect(inputs.filter((input) => /^(?:test|bench|scripts)\//.test(input))).toEqual([]);
});

test('the bundles pass on the licences of what they contain', async () => {
  const text = await notices(built.inputs);
  for (const used of distinct(Object.keys(built.inputs).map(packageOf))) expect(text).toMatch(new RegExp(`^${used.replaceAll('/', String.raw`\/`)} \\d`, 'm'));
});
