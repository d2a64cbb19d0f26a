import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { scratch } from '../../scratch.ts';
import { ANSWERS } from './answers.ts';
import { createUseSqlite, documentsOf, lastingProgram, programAt, type Program, spawnProgram } from './program.ts';

const prepared = lastingProgram();

/** A memory with a record in every state, made once; each test works on a copy of its home. */
beforeAll(() => {
  createUseSqlite(prepared);
  prepared.ask('save', 'constraint', 'At most 100 requests a minute', '--title', 'Rate limit', '--trust', 'observed');
  prepared.ask('save', 'preference', 'Tabs', '--title', 'Old habit');
  prepared.ask('retire', 'old-habit', '--reason', 'changed my mind');
  prepared.ask('save', 'tech_debt', 'The parser is slow', '--title', 'Old debt');
  prepared.ask('archive', 'old-debt');
  prepared.ask('save', 'preference', 'Tests live beside the code', '--title', 'Tests', '--user');
});

function copy(): Program {
  const folder = scratch();
  fs.cpSync(prepared.home, path.join(folder, 'home'), { recursive: true, preserveTimestamps: true });
  return programAt(folder, path.join(folder, 'home'), prepared.project);
}

describe.each(ANSWERS)('$name', ({ argv, json, people, input = '' }) => {
  const wordsFor = (cli: Program): readonly string[] => (typeof argv === 'function' ? argv(cli) : argv);

  it('answers scripts with JSON and nothing else', () => {
    const cli = copy();
    const answer = cli.runIn({ input }, ...wordsFor(cli), '--json');
    expect(answer).toMatchObject({ code: 0, err: '' });
    expect(documentsOf(answer)).toEqual(Array.isArray(json) ? json.map((row) => expect.objectContaining(row)) : [expect.objectContaining(json)]);
  });

  it('answers people in words, in a process of its own', () => {
    const cli = copy();
    const answer = spawnProgram(['--home', cli.home, ...wordsFor(cli)], { cwd: cli.project, env: { HOME: path.join(cli.folder, 'no-such-home') }, input });
    expect(answer).toMatchObject({ code: 0, err: '' });
    expect(answer.out).toMatch(people);
  });
});
