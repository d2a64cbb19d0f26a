import { expect, test } from 'vitest';
import { mergeLines } from '../../../src/app/sync/merge-lines.ts';
import { spent } from '../../processor.ts';

const lines = (count: number, of: (nth: number) => string): string => Array.from({ length: count }, (_, nth) => `${of(nth)}\n`).join('');

test('changes apart are joined, at the ends of a text too; changes that touch are not', () => {
  const base = 'a\nb\nc\nd\ne';
  expect(mergeLines({ base, ours: `0\n${base}`, theirs: `${base}\nf\n` })).toBe('0\na\nb\nc\nd\ne\nf\n');
  expect(mergeLines({ base, ours: 'a\nc\nd\ne', theirs: 'a\nb\nc\nD\ne' })).toBe('a\nc\nD\ne');
  expect(mergeLines({ base, ours: 'a\nB\nc\nd\ne', theirs: 'a\nB\nc\nd\ne' })).toBe('a\nB\nc\nd\ne');
  expect(mergeLines({ base, ours: 'a\nB\nc\nd\ne', theirs: 'a\nb\nC\nd\ne' })).toBeUndefined();
  expect(mergeLines({ base: '', ours: 'x\n', theirs: 'y\n' })).toBeUndefined();
});

test('a long text that was written anew takes no long comparison: both versions stay', () => {
  const [base, theirs] = [lines(30_000, (nth) => `base ${nth}`), lines(30_000, (nth) => `theirs ${nth}`)];
  const few = base.replace('base 7\n', 'ours\n');
  const before = spent();
  expect(mergeLines({ base, ours: few, theirs })).toBeUndefined();
  expect(spent() - before).toBeLessThan(10_000);
  expect(mergeLines({ base, ours: few, theirs: base.replace('base 20000\n', 'theirs\n') })).toContain('ours\nbase 8\n');
});
