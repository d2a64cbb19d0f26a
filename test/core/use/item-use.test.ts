import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ItemUse, isNeverUsed, useValue, useWords } from '../../../src/core/use/item-use.ts';

const use = (more: Partial<ItemUse>): ItemUse => ({ shown: 6, used: 0, repeated: 0, contradicted: 0, silent: 0, ...more });

describe('what use counts for', () => {
  test.each<[string, string, ItemUse | undefined, number, string]>([
    ['nothing known', 'decision/a', undefined, 0, ''],
    ['shown a few times', 'decision/a', use({ shown: 3, silent: 3 }), 0, 'was shown in 3 sessions and never used'],
    ['never used', 'decision/a', use({ silent: 4 }), -1, 'was shown in 6 sessions and never used'],
    ['a rule is followed in silence', 'preference/a', use({ silent: 40 }), 0, 'was shown in 6 sessions and never used'],
    ['a rule that is no record too', 'rule:a', use({ silent: 40 }), 0, 'was shown in 6 sessions and never used'],
    ['used in each of three sessions', 'decision/a', use({ shown: 3, used: 3 }), 1, 'the agent used it in 3 of 3 sessions'],
    ['used once of six times', 'decision/a', use({ used: 1 }), 1 / 9, 'the agent used it in 1 of 6 sessions'],
    ['said again by the user', 'preference/a', use({ repeated: 1 }), 1, 'the user said it again in 1 session that had it'],
    ['contradicted', 'preference/a', use({ contradicted: 1 }), -1, 'the user said the opposite in 1 session'],
    ['contradicted, and as often used', 'decision/a', use({ contradicted: 1, used: 3 }), 1, 'the agent used it in 3 of 6 sessions'],
  ])('%s', (_, name, known, value, words) => {
    expect(useValue(name, known)).toBeCloseTo(value, 9);
    if (known) expect(useWords(known)).toBe(words);
  });

  test('is bounded, whatever was counted', () => {
    const count = fc.nat(1_000);
    fc.assert(
      fc.property(fc.record({ shown: fc.integer({ min: 1, max: 1_000 }), used: count, repeated: count, contradicted: count, silent: count }), (known) => {
        expect(Math.abs(useValue('decision/a', known))).toBeLessThanOrEqual(1);
        if (useValue('decision/a', known) > 0) expect(isNeverUsed('decision/a', { ...known, silent: 0 })).toBe(false);
      }),
    );
  });
});
