import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

const entriesOf = (folder: string) =>
  readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true }).map((entry) => ({
    path: path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'),
    name: entry.name,
    isFile: entry.isFile(),
  }));

const tree = ['src', 'test', 'bench', 'scripts'].flatMap(entriesOf).filter((entry) => !entry.path.startsWith('test/fixtures/'));

test('a folder is named by a word of the domain', () => {
  const vague = /^(?:utils?|helpers?|common|shared|services?|misc|lib)$/;
  expect(tree.filter((entry) => !entry.isFile && vague.test(entry.name)).map((entry) => entry.path)).toEqual([]);
});

test('files are small: half of those in src have fewer than 120 lines', () => {
  const lines = tree
    .filter((entry) => entry.isFile && /^src\/.*\.ts$/.test(entry.path))
    .map((entry) => readFileSync(path.join(root, entry.path), 'utf8').split('\n').length - 1)
    .toSorted((a, b) => a - b);
  expect(lines[Math.floor(lines.length / 2)]).toBeLessThan(120);
});

test('tests mock no module', () => {
  const mocked = tree.filter((entry) => entry.path.startsWith('test/') && entry.name.endsWith('.ts') && entry.name !== 'habits.test.ts');
  expect(mocked.filter((entry) => /\bvi\.(?:do)?[mM]ock\(/.test(readFileSync(path.join(root, entry.path), 'utf8'))).map((entry) => entry.path)).toEqual([]);
});

test('tests set no bound on the clock, which runs while other programs do', () => {
  const clock = /(?:performance|Date)\.now\(\) - \w+[^\n]*\.toBeLess/;
  const bounded = tree.filter((entry) => entry.isFile && /^test\/.*\.ts$/.test(entry.path) && clock.test(readFileSync(path.join(root, entry.path), 'utf8')));
  expect(bounded.map((entry) => entry.path)).toEqual([]);
});
