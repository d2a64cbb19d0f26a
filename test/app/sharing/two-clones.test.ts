import { expect, it } from 'vitest';
import { mergeTwoClones } from './merge-two.ts';

it.each([
  [1, 'merge'],
  [2, 'diff3'],
] as const)('two clones, two branches, 20 changes on each side (seed %i, %s): plain git loses nothing', async (seed, style) => {
  expect(await mergeTwoClones(seed, 20, style)).toMatchObject({ conflicts: expect.any(Number) });
});
