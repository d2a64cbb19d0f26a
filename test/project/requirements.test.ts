import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { REQUIREMENT_IDS, requirementFaults, requirementRows } from './requirements.ts';

const root = path.resolve(import.meta.dirname, '../..');
const markdown = readFileSync(path.join(root, 'docs/requirements.md'), 'utf8');
const source = path.resolve(root, '../shared/requirements.md');

const faults = (row: string): readonly string[] => requirementFaults(markdown.replace(/^\| S0-1 .*$/m, row), root);

test('every requirement has one sound row', () => {
  expect(requirementFaults(markdown, root)).toEqual([]);
  expect(requirementRows(markdown)).toHaveLength(316 + 25);
});

test('a missing, a doubled and an invented row are faults', () => {
  expect(faults('')).toEqual(['S0-1: has no row']);
  expect(faults('| S0-1 | x | open | – |\n| S0-1 | x | open | – |')).toEqual(['S0-1: has two rows']);
  expect(faults('| S0-1 | x | open | – |\n| S9-1 | x | open | – |')).toEqual(['S9-1: is no requirement']);
});

test('a row that is done names tests that exist', () => {
  const here = 'test/project/requirements.test.ts';
  const absent = ['no', 'such', 'title'].join(' ');
  expect(faults('| S0-1 | x | done | – |')).toEqual(['S0-1: is done but names no test']);
  expect(faults('| S0-1 | x | done | `test/none.test.ts › x` |')).toEqual(['S0-1: there is no test file test/none.test.ts']);
  expect(faults(`| S0-1 | x | done | ${here} |`)).toEqual([`S0-1: "${here}" is not of the form test/file.test.ts › title`]);
  expect(faults(`| S0-1 | x | done | ${here} › ${absent} |`)).toEqual([`S0-1: ${here} has no test titled "${absent}"`]);
  expect(faults(`| S0-1 | x | done | ${here} › every requirement has one sound row<br>\`${here} › a row that is done names tests that exist\` |`)).toEqual([]);
  expect(faults('| S0-1 | | finished | – |')).toEqual(['S0-1: says nothing', 'S0-1: the state is "finished", not open, part or done']);
});

if (!existsSync(source)) console.log('skipped: the list that the requirements come from is not at hand');

test.skipIf(!existsSync(source))('the ids are those of the list they come from', () => {
  const ids = [...readFileSync(source, 'utf8').matchAll(/^(?:- (S\d-\d+) |\| (K\d+) )/gm)].map(([, requirement, conflict]) => requirement ?? conflict);
  expect(new Set(ids)).toEqual(new Set(REQUIREMENT_IDS));
  expect(ids).toHaveLength(REQUIREMENT_IDS.length);
});
