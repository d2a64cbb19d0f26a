import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { BAD_INPUT } from './bad-input.ts';
import { createUseSqlite, DECISION, draftFile, lastingProgram } from './program.ts';
import { everythingUnder } from './snapshot.ts';

const memory = lastingProgram();

/** A memory with something to lose, and with links that lead out of it. */
beforeAll(() => {
  createUseSqlite(memory);
  memory.ask('save', 'decision', 'Twins', '--title', 'Twin');
  memory.ask('save', 'preference', 'Twins', '--title', 'Twin');
  memory.ask(
    'write',
    '--action',
    'create',
    '--category',
    'decision',
    '--target',
    'decisions/gone.md',
    '--input',
    draftFile(memory, 'gone.json', { ...DECISION, title: 'Gone' }),
  );
  memory.ask('retire', 'gone');
  memory.ask('save', 'tech_debt', 'Kept', '--title', 'Kept');
  memory.ask('archive', 'kept');
  const outside = path.join(memory.folder, 'outside');
  fs.mkdirSync(outside);
  fs.writeFileSync(path.join(outside, 'victim.md'), 'of somebody else');
  fs.mkdirSync(path.join(memory.records, 'constraints'));
  fs.symlinkSync(outside, path.join(memory.records, 'linked'));
  fs.symlinkSync(outside, path.join(memory.records, 'runbooks'));
  fs.symlinkSync(path.join(outside, 'victim.md'), path.join(memory.records, 'constraints/link.md'));
  // This command notices and journals the manual edits, so that the commands below do not.
  memory.ask('status');
  memory.ask('save', 'preference', 'Links', '--title', 'Links');
});

describe('bad input is refused with its code, and nothing on the disk has changed', () => {
  it.each(BAD_INPUT)('$what: $error', ({ argv, exit, error, says, fields }) => {
    const words = typeof argv === 'function' ? argv(memory) : argv;
    const before = everythingUnder(memory.folder);
    const refused = memory.refused(...words);
    expect(refused).toMatchObject({ exit, error, ...(fields && { fields: expect.arrayContaining([...fields]) }) });
    if (says) expect(`${refused.message} ${refused.hint}`).toMatch(says);
    expect(everythingUnder(memory.folder)).toEqual(before);
  });
});
