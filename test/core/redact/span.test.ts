import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { apply, carryBack, merge, outsideMarks } from '../../../src/core/redact/span.ts';

const token = (start: number, end: number) => ({ kind: 'token', start, end });
const github = (start: number, end: number) => ({ kind: 'github-token', start, end });

describe('merge', () => {
  test('overlaps become one span of the more telling kind, neighbours stay two', () => {
    expect(merge([github(5, 9), token(2, 9)])).toEqual([github(2, 9)]);
    expect(merge([token(4, 8), token(0, 4)])).toEqual([token(0, 4), token(4, 8)]);
    expect(merge([github(2, 4), { kind: 'private', start: 0, end: 6 }])).toEqual([{ kind: 'private', start: 0, end: 6 }]);
  });
});

describe('carryBack', () => {
  const text = 'key=SECRET and more';
  const done = [token(4, 10)];
  const clean = 'key=[redacted:token] and more';

  test('a place before, after or across a replacement is found again in the text as it was', () => {
    expect(apply(text, done)).toBe(clean);
    expect(carryBack([token(0, 3)], done)).toEqual([token(0, 3)]);
    expect(carryBack([token(clean.indexOf('and'), clean.indexOf('and') + 3)], done)).toEqual([token(11, 14)]);
    expect(carryBack([token(2, clean.indexOf('and') + 3)], done)).toEqual([token(2, 14)]);
    expect(carryBack([token(6, clean.indexOf('and') + 3)], done)).toEqual([token(4, 14)]);
    expect(carryBack([token(2, 8)], done)).toEqual([token(2, 10)]);
  });

  test('a place inside a replacement is not news', () => {
    expect(carryBack([token(5, 9)], done)).toEqual([]);
  });

  test('what is found outside replacements keeps its text', () => {
    const word = fc.stringMatching(/^[a-z]{1,6}$/);
    fc.assert(
      fc.property(fc.array(fc.record({ hidden: word, shown: word }), { minLength: 1, maxLength: 8 }), fc.nat(), (parts, pick) => {
        const original = parts.map((part) => part.hidden + part.shown).join('');
        let at = 0;
        const spans = parts.map((part) => {
          const span = token(at, at + part.hidden.length);
          at = span.end + part.shown.length;
          return span;
        });
        const index = pick % parts.length;
        const shown = parts[index]?.shown ?? '';
        const before = apply(original.slice(0, spans[index]?.end), spans.slice(0, index + 1)).length;
        const [back] = carryBack([github(before, before + shown.length)], spans);
        expect(original.slice(back?.start, back?.end)).toBe(shown);
        expect(back?.start).toBe(spans[index]?.end);
      }),
    );
  });
});

describe('outsideMarks', () => {
  const text = 'ab[redacted:token]cd[private]';

  test('a span neither begins nor ends inside a mark, and a mark alone is no secret', () => {
    expect(outsideMarks(text, [token(0, 6)])).toEqual([token(0, 2)]);
    expect(outsideMarks(text, [token(6, 20)])).toEqual([token(18, 20)]);
    expect(outsideMarks(text, [token(2, 18)])).toEqual([]);
    expect(outsideMarks(text, [token(5, 9)])).toEqual([]);
    expect(outsideMarks(text, [token(0, 20)])).toEqual([token(0, 20)]);
    expect(outsideMarks(text, [token(20, 29)])).toEqual([]);
  });
});
