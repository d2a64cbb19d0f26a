import { expect } from 'vitest';
import { draftFile, lastingProgram } from '../edges/cli/program.ts';
import { attack } from './attack.ts';

const cli = lastingProgram();
const MB = 1 << 20;

/** A record that is far too large, however it is built. */
const DRAFTS: readonly (readonly [string, object])[] = [
  ['one word of 5 MB', { context: 'a'.repeat(5 * MB) }],
  ['many words', { context: 'lorem ipsum '.repeat(200_000) }],
  ['letters of another alphabet', { context: '記'.repeat(600_000) }],
  ['something like secrets without end', { context: 'password=hunter2 '.repeat(100_000) }],
  ['many reasons', { rationale: Array.from({ length: 100_000 }, (_, nth) => `reason ${nth}`) }],
  ['quotes without end', { context: '"'.repeat(400_000) }],
];

attack('terminal', 'a save that is too large is refused, and nothing is saved', DRAFTS, (content) => {
  const base = { status: 'accepted', context: 'One machine', decision: 'SQLite', rationale: ['it needs no server'] };
  const file = draftFile(cli, 'large.json', { title: 'Large', tags: ['large'], content: { ...base, ...content } });
  expect(cli.refused('save', 'decision', '--input', file)).toMatchObject({
    exit: 1,
    error: 'VALIDATION_ERROR',
    message: expect.stringMatching(/characters; a record has at most 500000/),
    hint: expect.stringContaining('nothing was saved'),
  });
  expect(cli.ask('search', 'large')).toMatchObject({ hits: [] });
});
