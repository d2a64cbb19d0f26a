import { expect, test } from 'vitest';
import { COMMON_TERMS, termWeight } from '../../../src/recall/gate/term-weight.ts';
import { analyze } from '../../../src/recall/text/analyze.ts';

test('no term stands on two steps, and every one is a term as it is analysed today', () => {
  const terms = COMMON_TERMS.flat();
  expect(new Set(terms).size).toBe(terms.length);
  expect(COMMON_TERMS.map((some) => some.length > 10)).toEqual([true, true, true, true]);
  expect(terms.filter((term) => !/^[a-z]{2,}\d*$/.test(term))).toEqual([]);
});

test.each([
  ['test', 0.05],
  ['please', 0.25],
  ['TypeScript', 0.25],
  ['database', 0.5],
  ['7', 0.1],
  ['数据', 0.5],
  ['webhook', 1],
  ['137', 1],
])('%s tells at most %d', (word, most) => {
  expect(termWeight(analyze(word).at(-1) ?? '')).toBe(most);
});
