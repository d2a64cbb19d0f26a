import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CATEGORIES } from '../../../src/core/record/category.ts';
import { cutShortId, isShortId, longShortId, shortIdOfName } from '../../../src/core/record/short-id.ts';

test('a short id never changes: what was printed last year still names the same record', () => {
  expect(longShortId('decision', 'use-sqlite')).toBe('d90y13n9');
  expect(longShortId('constraint', 'use-sqlite')).toBe('c2wn07a7');
  expect(shortIdOfName('decision/use-sqlite')).toBe('d90y13n9');
  expect(shortIdOfName('current-task')).toBeUndefined();
});

test('every short id can be printed and recognised, from four characters to eight', () => {
  fc.assert(
    fc.property(fc.constantFrom(...CATEGORIES), fc.string({ minLength: 1 }), (category, id) => {
      const long = longShortId(category, id);
      expect(long).toHaveLength(8);
      for (let length = 4; length <= 8; length += 1) expect(isShortId(long.slice(0, length))).toBe(true);
    }),
  );
  for (const word of ['use-sqlite', 'd4', 'd4f', 'dead', 'd4fi', 'decision', 'd4f7d4f7d', '']) expect(isShortId(word), word).toBe(false);
});

test('what is printed is as short as it can be and belongs to one record only', () => {
  const all = Array.from({ length: 3_000 }, (_, at) => longShortId('decision', `decision-${at}`)).toSorted();
  const printed = all.map((long, at) =>
    cutShortId(
      long,
      [all[at - 1], all[at + 1]].filter((one) => one !== undefined),
    ),
  );
  expect(new Set(printed).size).toBe(all.length);
  for (const [at, short] of printed.entries()) {
    expect(all.filter((long) => long.startsWith(short))).toEqual([all[at]]);
    if (short.length > 4) expect(all.filter((long) => long.startsWith(short.slice(0, -1))).length).toBeGreaterThan(1);
  }
  expect(cutShortId('d4f7abcd', [])).toBe('d4f7');
});

test('ten thousand ids in like words share hardly a short id', () => {
  const long = new Set(Array.from({ length: 10_000 }, (_, at) => longShortId('runbook', `the-build-fails-with-error-${at}`)));
  expect(long.size).toBeGreaterThanOrEqual(9_998);
});
