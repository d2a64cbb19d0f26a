import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkLayers } from './check-layers.ts';

/** Code that breaks a rule, the lint rule that must say so, and the words the layer check must use; undefined if the other one alone can see it. */
interface Case {
  readonly breaks: string;
  readonly file: string;
  readonly source: string;
  readonly lint?: string;
  readonly layers?: RegExp;
}

const restricted = 'eslint(no-restricted-imports)';
const silenced = 'eslint(no-warning-comments)';

const CASES: readonly Case[] = [
  {
    breaks: 'core imports node:fs',
    file: 'core/a.ts',
    source: `export { readFileSync } from 'node:fs';`,
    lint: restricted,
    layers: /pure, but imports node:fs/,
  },
  {
    breaks: 'core imports a type of Node',
    file: 'core/b.ts',
    source: `export type { Stats } from 'node:fs';`,
    lint: restricted,
    layers: /pure, but imports node:fs/,
  },
  {
    breaks: 'core imports node:fs late',
    file: 'core/c.ts',
    source: `export const later = () => import('node:fs');`,
    lint: restricted,
    layers: /pure, but imports node:fs/,
  },
  { breaks: 'core names a type by import()', file: 'core/d.ts', source: `export type S = import('node:fs').Stats;`, layers: /pure, but imports node:fs/ },
  {
    breaks: 'core imports what it computes',
    file: 'core/e.ts',
    source: `export const later = (name: string) => import(name);`,
    layers: /only running it can tell: name/,
  },
  {
    breaks: 'core imports render',
    file: 'core/f.ts',
    source: `export * from '../render/x.ts';`,
    lint: restricted,
    layers: /src\/core may not import src\/render/,
  },
  {
    breaks: 'core imports a package of others',
    file: 'core/g.ts',
    source: `export { parse } from 'yaml';`,
    lint: restricted,
    layers: /imports the package yaml/,
  },
  {
    breaks: 'core imports fs by its old name',
    file: 'core/h.ts',
    source: `export { readFileSync } from 'fs';`,
    lint: restricted,
    layers: /imports the package fs/,
  },
  {
    breaks: 'render imports capture',
    file: 'render/a.ts',
    source: `export * from '../capture/x.ts';`,
    lint: restricted,
    layers: /src\/render may not import src\/capture/,
  },
  {
    breaks: 'app imports an adapter',
    file: 'app/a.ts',
    source: `export * from '../adapters/files/x.ts';`,
    lint: restricted,
    layers: /src\/app may not import src\/adapters/,
  },
  {
    breaks: 'app imports an adapter the long way',
    file: 'app/b.ts',
    source: `export * from '../../src/adapters/git/x.ts';`,
    lint: restricted,
    layers: /src\/app may not import src\/adapters/,
  },
  {
    breaks: 'an adapter imports app',
    file: 'adapters/files/a.ts',
    source: `export * from '../../app/x.ts';`,
    lint: restricted,
    layers: /src\/adapters may not import src\/app/,
  },
  {
    breaks: 'an adapter imports another',
    file: 'adapters/files/b.ts',
    source: `export * from '../git/x.ts';`,
    lint: restricted,
    layers: /may not import another part/,
  },
  {
    breaks: 'an adapter requires app',
    file: 'adapters/files/c.ts',
    source: `import { createRequire } from 'node:module';\nconst load = createRequire(import.meta.url);\nexport const app: unknown = load('../../app/x.ts');`,
    layers: /src\/adapters may not import src\/app/,
  },
  {
    breaks: 'an edge imports another edge',
    file: 'edges/cli/a.ts',
    source: `export * from '../http/x.ts';`,
    lint: restricted,
    layers: /may not import another part/,
  },
  {
    breaks: 'an edge imports an adapter',
    file: 'edges/mcp/a.ts',
    source: `export * from '../../adapters/sqlite/x.ts';`,
    lint: restricted,
    layers: /src\/edges may not import src\/adapters/,
  },
  {
    breaks: 'an edge imports bin',
    file: 'edges/hook/a.ts',
    source: `export * from '../../bin/x.ts';`,
    lint: restricted,
    layers: /src\/edges may not import src\/bin/,
  },
  {
    breaks: 'an edge imports an unlisted package',
    file: 'edges/http/a.ts',
    source: `export * from 'express';`,
    lint: restricted,
    layers: /imports the package express/,
  },
  { breaks: 'an edge finds the home by itself', file: 'edges/cli/b.ts', source: `export { homedir } from 'node:os';`, lint: restricted },
  { breaks: 'an adapter reads the environment', file: 'adapters/git/a.ts', source: `export const home = process.env['HOME'];`, lint: 'node(no-process-env)' },
  { breaks: 'a file stands outside the edges', file: 'edges/x.ts', source: `export const one = 1;`, layers: /belongs in one of src\/edges/ },
  { breaks: 'a folder stands outside the layers', file: 'utils/x.ts', source: `export const one = 1;`, layers: /src\/ has only the layers/ },
  { breaks: 'bin imports a test', file: 'bin/z.ts', source: `export * from '../../test/x.ts';`, layers: /outside the layers/ },
  {
    breaks: 'a comment disables a rule',
    file: 'core/i.ts',
    source: `// oxlint-disable-next-line no-empty\nif (Math.PI > 3) {\n}`,
    lint: silenced,
    layers: /disables a rule/,
  },
  {
    breaks: 'a comment disables every rule',
    file: 'core/j.ts',
    source: `/* oxlint-disable */\nexport { readFileSync } from 'node:fs';`,
    layers: /disables a rule/,
  },
  {
    breaks: 'a comment quiets the compiler',
    file: 'core/k.ts',
    source: `// @ts-ignore\nexport const one: string = 1;`,
    lint: 'typescript(ban-ts-comment)',
    layers: /disables a rule/,
  },
  { breaks: 'a catch is empty', file: 'core/l.ts', source: `try {\n  JSON.parse('');\n} catch {}`, lint: 'eslint(no-empty)' },
  {
    breaks: 'a promise is left alone',
    file: 'bin/y.ts',
    source: `const later = async (): Promise<void> => {};\nlater();`,
    lint: 'typescript(no-floating-promises)',
  },
  { breaks: 'core prints', file: 'core/m.ts', source: `console.log('hello');`, lint: 'eslint(no-console)' },
];

const root = path.resolve(import.meta.dirname, '../..');
const at = (file: string): string => `src/${file.replace(/(\w+\.ts)$/, 'breach-$1')}`;
const run = (tree: string, ...command: readonly string[]) => spawnSync(process.execPath, command, { cwd: tree, encoding: 'utf8' });

describe('each breach of the rules is reported', () => {
  let tree = '';
  const lint = new Map<string, string[]>();
  let layers: readonly string[] = [];

  beforeAll(() => {
    tree = mkdtempSync(path.join(tmpdir(), 'holdfast-breaches-'));
    for (const item of ['src', '.oxlintrc.json', 'tsconfig.json', 'tsconfig.pure.json', 'package.json'])
      cpSync(path.join(root, item), path.join(tree, item), { recursive: true });
    symlinkSync(path.join(root, 'node_modules'), path.join(tree, 'node_modules'), 'junction');
    for (const { file, source } of CASES) {
      mkdirSync(path.dirname(path.join(tree, at(file))), { recursive: true });
      writeFileSync(path.join(tree, at(file)), `${source}\n`);
    }
    layers = checkLayers(tree);
    const { diagnostics } = JSON.parse(run(tree, 'node_modules/oxlint/bin/oxlint', '-f', 'json', ...CASES.map(({ file }) => at(file))).stdout) as {
      diagnostics: { filename: string; code?: string }[];
    };
    for (const { filename, code = '' } of diagnostics) lint.set(filename, [...(lint.get(filename) ?? []), code]);
  });

  afterAll(() => rmSync(tree, { recursive: true, force: true }));

  test.each(CASES.filter((entry) => entry.lint))('by the linter: $breaks', ({ file, lint: rule }) => {
    expect(lint.get(at(file)) ?? []).toContain(rule);
  });

  test.each(CASES.filter((entry) => entry.layers))('by the layer check: $breaks', ({ file, layers: words }) => {
    expect(layers.filter((breach) => breach.startsWith(at(file))).join('\n')).toMatch(words ?? /never/);
  });

  test('by the compiler of the pure layers: Node and its globals in core', () => {
    const { stdout, status } = run(tree, 'node_modules/typescript/bin/tsc', '-p', 'tsconfig.pure.json');
    expect(status).not.toBe(0);
    for (const file of ['core/a.ts', 'core/b.ts', 'core/c.ts', 'core/d.ts', 'core/m.ts']) expect(stdout).toContain(`${at(file)}(`);
  });
});
