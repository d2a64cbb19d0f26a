import { expect, test } from 'vitest';
import { chunkNumbersIn } from '../../../src/adapters/postgres/search-index/block-numbers.ts';
import { encodeSteps } from '../../../src/core/episode/chunk-lists.ts';
import { random } from '../../app/sharing/clones.ts';
import { rounds } from '../../rounds.ts';

test('chunk numbers of blocks come ascending, whether the blocks follow each other or overlap, and no list changes when another is read', () => {
  const chance = random(7);
  const read: { readonly ids: Float64Array; readonly sorted: readonly number[] }[] = [];
  for (let round = 0; round < rounds(100, 2_000); round++) {
    let last = 0;
    const blocks = Array.from({ length: Math.floor(chance() * 9) }, () => {
      if (chance() < 0.4) last = Math.floor(chance() * 2 ** 50);
      return Array.from({ length: 1 + Math.floor(chance() * 40) }, () => (last += 1 + Math.floor(chance() * 2 ** (1 + chance() * 31))));
    });
    const ids = chunkNumbersIn(blocks.map((block) => encodeSteps(block, 0, block.length, 0)).toReversed());
    read.push({ ids, sorted: blocks.flat().toSorted((a, b) => a - b) });
  }
  for (const { ids, sorted } of read) expect([...ids]).toEqual(sorted);
});
