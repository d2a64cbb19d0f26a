import { expect, it } from 'vitest';
import { mergeTwoClones } from './merge-two.ts';
import { rounds } from '../../rounds.ts';

const SEEDS = [
  [11, 'merge'],
  [12, 'diff3'],
  [13, 'merge'],
] as const;

it.each(SEEDS.slice(0, rounds(1, 3)))(
  'two clones, two branches, 100 changes on each side (seed %i, %s): plain git loses nothing',
  { timeout: 600_000 },
  async (seed, style) => {
    const { conflicts, records, joined } = await mergeTwoClones(seed, 100, style);
    process.stdout.write(`sharing: ${records} records, ${conflicts} changed by both, ${joined} of them joined without a choice\n`);
    expect(conflicts).toBeGreaterThan(5);
  },
);
