import fc from 'fast-check';
import { expect, test } from 'vitest';
import { joinedWith, mergePostings } from '../../../src/recall/rank/postings.ts';
import { TermWeights } from '../../../src/recall/rank/terms.ts';
import { topPlaces } from '../../../src/recall/rank/seeds.ts';

const list = fc.uniqueArray(fc.integer({ min: 0, max: 200 }), { maxLength: 60 }).map((ids) => ids.toSorted((a, b) => a - b));

test('merged postings hold every chunk once, with a bit for each term', () => {
  fc.assert(
    fc.property(fc.array(list, { minLength: 1, maxLength: 31 }), (lists) => {
      const { ids, masks, length } = mergePostings(lists);
      const expected = new Map<number, number>();
      lists.forEach((one, bit) => one.forEach((id) => expected.set(id, (expected.get(id) ?? 0) | (1 << bit))));
      const all = [...expected.keys()].toSorted((a, b) => a - b);
      expect([...ids.subarray(0, length)]).toEqual(all);
      expect([...masks.subarray(0, length)]).toEqual(all.map((id) => expected.get(id)));
    }),
  );
});

test('neighbours are put in at their place, and what matched keeps its terms', () => {
  fc.assert(
    fc.property(list, list, (matched, added) => {
      const merged = joinedWith(mergePostings([matched]), [{ from: 0, to: matched.length }], added);
      const all = [...new Set([...matched, ...added])].toSorted((a, b) => a - b);
      expect([...merged.ids.subarray(0, merged.length)]).toEqual(all);
      expect([...merged.masks.subarray(0, merged.length)]).toEqual(all.map((id) => (matched.includes(id) ? 1 : 0)));
    }),
  );
});

test('a mask weighs what its terms weigh', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 31 }), fc.integer({ min: 0, max: 2 ** 31 - 1 }), (weights, bits) => {
      const mask = bits & ((2 ** weights.length - 1) | 0);
      const expected = weights.reduce((sum, weight, bit) => sum + (mask & (1 << bit) ? weight : 0), 0);
      expect(new TermWeights(weights).sum(mask)).toBe(expected);
    }),
  );
});

test('the top places are those a sort would give', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 100 }), fc.integer({ min: 0, max: 20 }), (values, most) => {
      const sorted = values.toSorted((a, b) => b - a).slice(0, most);
      expect(topPlaces(values, most).map((at) => values[at])).toEqual(sorted);
    }),
  );
});
