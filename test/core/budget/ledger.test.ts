import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimateTokens, dayOf, parseLedger, reserve, serializeLedger, settleHold, usedOn, type TokenLedger } from '../../../src/core/budget/token-ledger.ts';

const DAY = '2026-03-01';
const request = { id: 'a', tokens: 400, day: DAY, limit: 1000 };

const must = (ledger: TokenLedger, more: Partial<typeof request> = {}): TokenLedger => {
  const result = reserve(ledger, { ...request, ...more });
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
};

describe('a ledger', () => {
  it('counts what is set aside at once, and what was spent in its place', () => {
    const held = must([]);
    expect(usedOn(held, DAY)).toBe(400);
    expect(usedOn(settleHold(held, 'a', 120), DAY)).toBe(120);
    expect(usedOn(settleHold(held, 'unknown', 120), DAY)).toBe(400);
  });

  it('refuses what would pass the limit, and says by how much', () => {
    const two = must(must([]), { id: 'b', tokens: 600 });
    const third = reserve(two, { ...request, id: 'c', tokens: 1 });
    expect(third).toMatchObject({ ok: false, error: { code: 'BUDGET_EXHAUSTED', message: expect.stringContaining('1000 of 1000') as string } });
    expect(reserve([], { ...request, limit: 0 })).toMatchObject({
      ok: false,
      error: { code: 'BUDGET_EXHAUSTED', message: expect.stringContaining('is 0') as string },
    });
  });

  it('begins anew every day, and keeps a month', () => {
    let ledger: TokenLedger = [];
    for (let day = 1; day <= 40; day++) ledger = settleHold(must(ledger, { day: dayOf(Date.UTC(2026, 2, day)), id: String(day) }), String(day), day);
    expect(ledger).toHaveLength(31);
    expect(usedOn(ledger, '2026-03-31')).toBe(31);
    expect(usedOn(ledger, '2026-03-01')).toBe(0);
  });

  it('settles a call on the day it was begun', () => {
    const night = must([], { day: '2026-03-01' });
    const next = must(night, { day: '2026-03-02', id: 'b' });
    const settled = settleHold(next, 'a', 50);
    expect([usedOn(settled, '2026-03-01'), usedOn(settled, '2026-03-02')]).toEqual([50, 400]);
  });

  it.each(['', 'nonsense\n', '{"day":"2026-03-01","spent":7,"held":[]}\n{"day":"2026-03-02","sp', '[]\nnull\n3\n{"day":5}\n{"day":"2026-03-01","spent":7}'])(
    'that is damaged costs what is damaged: %j',
    (text) => {
      expect(usedOn(parseLedger(text), DAY)).toBe(text.includes('"spent":7') ? 7 : 0);
    },
  );

  it('reads what it writes, whatever happened', () => {
    const step = fc.record({
      id: fc.constantFrom('a', 'b', 'c'),
      tokens: fc.nat(500),
      day: fc.constantFrom('2026-03-01', '2026-03-02'),
      settles: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        let ledger: TokenLedger = [];
        for (const { id, tokens, day, settles } of steps) {
          if (settles) ledger = settleHold(ledger, id, tokens);
          else {
            const made = reserve(ledger, { id, tokens, day, limit: 1000 });
            if (made.ok) ledger = made.value;
            else expect(usedOn(ledger, day) + tokens).toBeGreaterThan(1000);
          }
        }
        expect(parseLedger(serializeLedger(ledger))).toEqual(ledger);
      }),
    );
  });
});

it('guesses tokens on the high side', () => {
  expect(estimateTokens('')).toBe(0);
  expect(estimateTokens('The quick brown fox jumps over the lazy dog.')).toBeGreaterThanOrEqual(12);
  expect(estimateTokens('決定しました')).toBe(12);
});
