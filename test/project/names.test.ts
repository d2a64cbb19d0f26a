import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { sourceFiles } from './exports.ts';

const files = sourceFiles();

/** Lower these as the code improves; never raise them. */
const CEILING = { smallFiles: 8, filesInOneFolder: 20 } as const;

/** Names that may be defined more than once, with the reason. */
const DEFINED_OFTEN: Readonly<Record<string, string>> = { run: 'what bin/holdfast.ts calls in each program' };

/** A file of so few lines belongs into the file that uses it. */
const SMALL = 15;

/** Words that make a reader guess, with how many names still use them. Never add to a number. */
const UNCLEAR: Readonly<Record<string, number>> = {
  late: 0,
  seldom: 0,
  daily: 0,
  owed: 0,
  ahead: 0,
  served: 0,
  heard: 0,
  desk: 0,
  bearings: 0,
  reach: 0,
  lookout: 0,
  alone: 0,
  stamp: 0,
  traced: 0,
  told: 0,
  kept: 0,
  hands: 0,
  mend: 0,
  shelf: 0,
  said: 0,
  piece: 0,
  pieces: 0,
  asked: 0,
  joint: 0,
  rough: 0,
  hollow: 0,
  trail: 0,
  weighed: 0,
  wording: 0,
  scribe: 0,
  surroundings: 0,
  kin: 0,
  trouble: 0,
  wish: 0,
};

/** The same for every name that a file declares, local ones among them, counted once a file. Those left are stored on disk or printed as JSON. */
const UNCLEAR_INSIDE: Readonly<Record<string, number>> = {
  late: 0,
  seldom: 0,
  daily: 0,
  owed: 0,
  ahead: 0,
  served: 0,
  heard: 0,
  desk: 0,
  bearings: 0,
  reach: 0,
  lookout: 0,
  alone: 0,
  stamp: 0,
  traced: 0,
  told: 1,
  kept: 4,
  hands: 0,
  mend: 2,
  shelf: 0,
  said: 0,
  piece: 0,
  pieces: 0,
  asked: 7,
  joint: 0,
  rough: 0,
  hollow: 0,
  trail: 0,
  weighed: 0,
  wording: 0,
  scribe: 0,
  surroundings: 0,
  kin: 0,
  trouble: 0,
  hurried: 0,
};

const wordsIn = (name: string): readonly string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);

/** Every exported name and every file name, once for each file. */
const names = files.flatMap(({ path: file, exported }) => [path.basename(file, '.ts'), ...exported].map((name) => ({ name, file })));

test('an exported name is defined once', () => {
  const homes = new Map<string, string[]>();
  for (const { path: file, exported } of files) for (const name of new Set(exported)) homes.set(name, [...(homes.get(name) ?? []), file]);
  const twice = [...homes].filter(([name, where]) => where.length > 1 && !(name in DEFINED_OFTEN)).map(([name, where]) => `${name}: ${where.join(', ')}`);
  expect(twice).toEqual([]);
});

test.each(Object.entries(UNCLEAR))('no more than the known names use the word "%s"', (word, most) => {
  const using = names.filter(({ name }) => wordsIn(name).includes(word)).map(({ name, file }) => `${name} in ${file}`);
  expect(using.length, using.join('\n')).toBeLessThanOrEqual(most);
});

test.each(Object.entries(UNCLEAR_INSIDE))('no more than the known local names use the word "%s"', (word, most) => {
  const using = files.flatMap(({ path: file, declared }) => declared.filter((name) => wordsIn(name).includes(word)).map((name) => `${name} in ${file}`));
  expect(using.length, using.join('\n')).toBeLessThanOrEqual(most);
});

test('few files are too small to be worth looking up', () => {
  const small = files.filter(({ lines }) => lines <= SMALL).map(({ path: file }) => file);
  expect(small.length, small.join('\n')).toBeLessThanOrEqual(CEILING.smallFiles);
});

test('a folder holds few enough files to read their names', () => {
  const counts = new Map<string, number>();
  for (const { path: file } of files) counts.set(path.dirname(file), (counts.get(path.dirname(file)) ?? 0) + 1);
  const full = [...counts].filter(([, count]) => count > CEILING.filesInOneFolder).map(([folder, count]) => `${folder}: ${count}`);
  expect(full).toEqual([]);
});

describe('docs/glossary.md', () => {
  const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/glossary.md'), 'utf8');
  const [words = [], types = []] = page
    .split(/^## /m)
    .slice(1)
    .map((section) => [...section.matchAll(/^\| (.+?) \| .+ \|$/gm)].map(([, entry = '']) => entry).slice(2));

  test.each([
    ['words', words],
    ['types', types],
  ])('lists its %s in alphabetical order, each once', (_, entries) => {
    expect(entries.length).toBeGreaterThan(40);
    expect(entries).toEqual([...new Set(entries)].toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)));
  });

  test('names types that the program exports', () => {
    const exported = new Set(files.flatMap((file) => file.exported));
    expect(types.filter((entry) => !exported.has(entry.replaceAll('`', '')))).toEqual([]);
  });
});
