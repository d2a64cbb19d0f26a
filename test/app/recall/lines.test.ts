import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitLines, withSingleSpaces, withoutListMark } from '../../../src/app/recall/gist.ts';

const line = fc
  .array(fc.constantFrom('-', '*', '1', '12', '.', ')', ' ', '  ', '\t', '\r', '\n', '\u00a0', 'a', '#'), { maxLength: 8 })
  .map((parts) => parts.join(''));

test('what is looked at first changes nothing of what the patterns say', () => {
  fc.assert(
    fc.property(line, (text) => {
      expect(splitLines(text)).toEqual(text.split(/\r?\n/));
      expect(withoutListMark(text)).toBe(text.replace(/^\s*(?:[-*]|\d+[.)])\s+/, '').trim());
      expect(withSingleSpaces(text)).toBe(text.replaceAll(/\s+/g, ' '));
    }),
    { numRuns: 2_000 },
  );
});
