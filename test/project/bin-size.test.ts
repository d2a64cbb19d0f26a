import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const bin = path.resolve(import.meta.dirname, '../../src/bin');

/** The root of the team's server and of its clients: another program, with ceilings of its own. */
const TEAM = path.join(bin, 'team');
const TEAM_CEILING = { lines: 170, files: 2 } as const;

/** `bin` only wires the program together. Lower these with every move out of it; never raise them. */
const CEILING = { lines: 989, files: 22, filesInOneFolder: 13 } as const;
/** A ceiling further than this above the code no longer guards it. */
const SLACK = 1.05;

const all = readdirSync(bin, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
const files = all.filter(({ parentPath }) => parentPath !== TEAM);
const teamFiles = all.filter(({ parentPath }) => parentPath === TEAM);
const countLines = (file: string): number => readFileSync(file, 'utf8').split('\n').length - 1;
const perFolder = files.map((entry) => files.filter(({ parentPath }) => parentPath === entry.parentPath).length);
const size = {
  lines: files.reduce((sum, entry) => sum + countLines(path.join(entry.parentPath, entry.name)), 0),
  files: files.length,
  filesInOneFolder: Math.max(...perFolder),
};

test.each(Object.keys(CEILING) as (keyof typeof CEILING)[])('src/bin stays within its ceiling of %s', (measure) => {
  expect(size[measure]).toBeLessThanOrEqual(CEILING[measure]);
});

test('the root of the team’s server stays within its ceilings', () => {
  expect(teamFiles.length).toBeLessThanOrEqual(TEAM_CEILING.files);
  expect(teamFiles.reduce((sum, entry) => sum + countLines(path.join(entry.parentPath, entry.name)), 0)).toBeLessThanOrEqual(TEAM_CEILING.lines);
});

test('the ceiling of lines follows the code down', () => {
  expect(CEILING.lines, `lower CEILING.lines to ${size.lines}`).toBeLessThanOrEqual(Math.ceil(size.lines * SLACK));
});
