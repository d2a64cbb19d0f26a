import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const sources = readdirSync(path.join(root, 'src'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => {
    const file = path.join(entry.parentPath, entry.name);
    return { path: path.relative(root, file).replaceAll(path.sep, '/'), text: readFileSync(file, 'utf8') };
  });

test('one file runs git', () => {
  const startsProcesses = sources.filter(({ text }) => /['"](?:node:)?child_process['"]/.test(text));
  const naming = startsProcesses.filter((source) => /(['"`])git(?:\.exe)?\1/.test(source.text) || source.path.startsWith('src/adapters/git/'));
  expect(naming.map((source) => source.path)).toEqual(['src/adapters/git/run.ts']);
});
