import { expect, test } from 'vitest';
import { redact } from '../../../src/core/redact/text.ts';
import { lookalikes } from './lookalikes.ts';

const inSentence = (text: string): string => `I looked at it:\n${text}\nand it is fine.`;
const wronglyRedacted = (surround: (text: string) => string): string[] => lookalikes.map(surround).filter((text) => redact(text).text !== text);

test.each([
  ['as they are', (text: string) => text],
  ['inside a message', inSentence],
  ['inside a JSON line', (text: string) => JSON.stringify({ content: inSentence(text) })],
])('of 200 lookalikes at most 5 are wrongly redacted: %s', (name, surround) => {
  expect(new Set(lookalikes).size).toBeGreaterThanOrEqual(200);
  const wrong = wronglyRedacted(surround);
  console.log(`lookalikes ${name}: ${wrong.length} of ${lookalikes.length} wrongly redacted`);
  expect(wrong.length, wrong.map((text) => `${text.slice(0, 120)} => ${redact(text).text.slice(0, 120)}`).join('\n')).toBeLessThanOrEqual(5);
});
