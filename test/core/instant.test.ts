import fc from 'fast-check';
import { expect, test } from 'vitest';
import { utcSeconds } from '../../src/core/instant.ts';

test('a time is written to the second, as ISO 8601 has it', () => {
  expect(utcSeconds(Date.UTC(2026, 0, 2, 3, 4, 5, 678))).toBe('2026-01-02T03:04:05Z');
  fc.assert(
    fc.property(fc.date({ noInvalidDate: true }), (date) => {
      expect(utcSeconds(date.getTime())).toBe(`${date.toISOString().slice(0, 19)}Z`);
    }),
  );
  expect(() => utcSeconds(Number.NaN)).toThrow(RangeError);
});
