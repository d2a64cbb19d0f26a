import { expect, test } from 'vitest';
import { analyze } from '../../../src/recall/text/analyze.ts';
import { ProximityScorer } from '../../../src/recall/rank/proximity.ts';

const question = analyze('retry the payment webhook');
const scorer = new ProximityScorer(
  question,
  question,
  question.map(() => 2),
);

test.each([
  ['in order', 'retry payment webhook', 6],
  ['in another order', 'webhook payment retry', 6],
  ['one pair', 'the payment webhook failed', 2],
  ['too far apart', `payment ${'some filler text '.repeat(6)} webhook`, 0],
  ['twice counts once', 'payment webhook payment webhook', 2],
  ['none', 'nothing of the sort', 0],
])('%s', (_, text, pairs) => {
  expect(scorer.score(scorer.placesOf(analyze(text)))).toBe(pairs);
});
