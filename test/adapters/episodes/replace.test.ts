import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ArchiveFolder, packLines } from '../../../src/adapters/episodes/archive.ts';
import { scratch } from '../../scratch.ts';

const linesIn = (archive: ArchiveFolder): readonly string[] => [...archive.blocks('s-1')].flatMap(({ lines }) => lines);

it('goes on behind a file that another process put in the place of its own', async () => {
  const folder = path.join(scratch(), 'episodes');
  const [one, other] = [new ArchiveFolder(folder), new ArchiveFolder(folder)];
  one.append('s-1', 0, await packLines(['first', 'second']));
  const replaced = await packLines(['first']);
  other.replace('s-1', replaced);
  expect(linesIn(one)).toEqual(['first']);
  one.append('s-1', replaced.length, await packLines(['third']));
  await one.settle();
  expect(linesIn(other)).toEqual(['first', 'third']);
  expect(fs.readdirSync(folder)).toEqual(['s-1.episode.gz']);
});
