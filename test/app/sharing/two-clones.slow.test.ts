import { expect, it } from 'vitest';
import { mergeTwoClones } from './merge-two.ts';

it.each([
  [11, 'merge'],
  [12, 'diff3'],
  [13, 'merge'],
] as const)('two clones, two branches, 100 changes on each side (seed %i, %s): plain git loses nothing', { timeout: 300_000 }, async (seed, style) => {
  const { conflicts, records, joined } = await mergeTwoClones(seed, 100, style);
  process.stdout.write(`sharing: ${records} records, ${conflicts} changed by both, ${joined} of them joined without a choice\n`);
  expect(conflicts).toBeGreaterThan(5);
});
