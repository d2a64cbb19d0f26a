import { expect, test } from 'vitest';
import { redact } from '../../../src/core/redact/text.ts';
import { lookalikesInContext } from './lookalikes-context.ts';
import { plantInContext } from './planted-context.ts';
import { SURROUNDINGS } from './planted.ts';

const SEEDS = 8;

test('at least 40 secrets told by their surroundings are planted, and at least 40 lookalikes', () => {
  expect(plantInContext(1).length).toBeGreaterThanOrEqual(40);
  expect(lookalikesInContext.length).toBeGreaterThanOrEqual(40);
});

test.each(Object.entries(SURROUNDINGS))('none of them is left, surroundings: %s', (_, surround) => {
  const left: string[] = [];
  for (let seed = 1; seed <= SEEDS; seed++) {
    for (const { kind, text, needles } of plantInContext(seed)) {
      const around = surround(text);
      const { text: clean } = redact(around);
      if (needles.some((needle) => clean.includes(needle))) left.push(`${seed} ${kind}: ${around.slice(0, 300)} => ${clean.slice(0, 300)}`);
    }
  }
  expect(left).toEqual([]);
});

test.each([
  ['as they are', (text: string) => text],
  ['inside a message', (text: string) => `I looked at it:\n${text}\nand it is fine.`],
  ['inside a JSON line', (text: string) => JSON.stringify({ content: `I looked at it:\n${text}\nand it is fine.` })],
])('no lookalike is redacted: %s', (_, surround) => {
  expect(lookalikesInContext.map(surround).flatMap((text) => (redact(text).text === text ? [] : [`${text} => ${redact(text).text}`]))).toEqual([]);
});
