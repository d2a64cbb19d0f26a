import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const under = (folder: string): readonly string[] =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => path.join(folder, file).replaceAll(path.sep, '/'));

const pages = [...readdirSync(root), ...under('docs')].filter((file) => file.endsWith('.md'));
const text = (page: string): string => readFileSync(path.join(root, page), 'utf8');
const fileNames = new Set(['bench', 'scripts', 'src', 'test', 'viewer', 'assets', 'plugin'].flatMap(under).map((file) => path.basename(file)));
/** Files of `dist/` that a page may name; a fresh clone has none of them yet. */
const BUILT = ['cli.js', 'finish.js', 'hook.js', 'import-thread.js', 'mcp.js', 'slash.js', 'team-server.js'];
const { scripts } = JSON.parse(text('package.json')) as { readonly scripts: Record<string, string> };

/** Targets of links that stay in the project, without their anchors. */
const localLinks = (page: string): readonly string[] =>
  [...text(page).matchAll(/\]\((?!https?:|mailto:|#)([^)\s]+)\)/g)].map(([, target = '']) => target.replace(/#.*$/, ''));

describe.each(pages)('%s', (page) => {
  test('links to what exists', () => {
    expect(localLinks(page).filter((target) => !existsSync(path.join(root, path.dirname(page), target)))).toEqual([]);
  });

  test('names source files that exist', () => {
    const named = [...text(page).matchAll(/`(?:[\w.-]+\/)*([\w-]+(?:\.\w+)*\.(?:ts|tsx|js))`/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !fileNames.has(name) && !BUILT.includes(name))).toEqual([]);
  });

  test('names npm scripts that exist', () => {
    const named = [...text(page).matchAll(/\bnpm (?:run )?([a-z]+)\b/g)].map(([command, name = '']) => ({ command, name }));
    const own = named.filter(({ command, name }) => command.startsWith('npm run ') || name in scripts).map(({ name }) => name);
    expect(own.filter((name) => !(name in scripts))).toEqual([]);
  });
});

test('the index of decisions lists every page', () => {
  const listed = localLinks('docs/decisions/README.md');
  const there = readdirSync(path.join(root, 'docs/decisions')).filter((file) => file !== 'README.md');
  expect(there.filter((file) => !listed.includes(file))).toEqual([]);
});

test('the licence is the one that package.json names', () => {
  expect(text('package.json')).toContain('"license": "Apache-2.0"');
  expect(text('LICENSE')).toMatch(/Apache License\s+Version 2\.0, January 2004/);
});

test('the changelog has a place for what is not released', () => {
  expect(text('CHANGELOG.md')).toMatch(/^## Unreleased$/m);
});
