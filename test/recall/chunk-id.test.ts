import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  CHUNK_KINDS,
  chunkId,
  KIND_NUMBER,
  chunkKind,
  LARGEST_PLACE,
  LARGEST_SIZE,
  chunkPlace,
  chunkSize,
  stretchAround,
  unitOf,
} from '../../src/recall/chunks/split-text.ts';

const unit = fc.integer({ min: 0, max: 2 ** 22 - 1 });
const place = fc.integer({ min: 0, max: LARGEST_PLACE });
const size = fc.integer({ min: 0, max: LARGEST_SIZE });
const kind = fc.constantFrom(...CHUNK_KINDS);

test('a number gives back what it was made of', () => {
  fc.assert(
    fc.property(unit, place, size, kind, (u, p, s, k) => {
      const id = chunkId(u, p, s, k);
      expect(Number.isSafeInteger(id)).toBe(true);
      expect([unitOf(id), chunkPlace(id), chunkSize(id), chunkKind(id)]).toEqual([u, p, s, k]);
    }),
  );
});

test('numbers are in the order of unit and place', () => {
  fc.assert(
    fc.property(unit, place, place, size, size, kind, kind, (u, a, b, s, t, k, l) => {
      fc.pre(a < b);
      expect(chunkId(u, a, s, k)).toBeLessThan(chunkId(u, b, t, l));
      expect(chunkId(u, b, s, k)).toBeLessThan(chunkId(u + 1, a, t, l));
    }),
  );
});

test('a stretch around a chunk holds what is near in its unit and nothing of another', () => {
  fc.assert(
    fc.property(unit, place, place, size, size, kind, fc.integer({ min: 0, max: 60 }), (u, a, b, s, t, k, reach) => {
      const id = chunkId(u, a, s, k);
      const other = chunkId(u, b, t, k);
      const [from, to] = stretchAround(id, reach);
      expect([unitOf(from), unitOf(to)]).toEqual([u, u]);
      const gap = b < a ? a - b - t : b - a - s;
      if (gap <= reach) expect(other >= from && other <= to).toBe(true);
    }),
  );
});

test('kinds have the numbers of their places', () => {
  expect(CHUNK_KINDS.map((one) => KIND_NUMBER[one])).toEqual(CHUNK_KINDS.map((_, nth) => nth));
});
