import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fitBlock, NOTHING, type BlockLine } from '../../../src/recall/inject/block.ts';
import { recallLine, type RecallEntry } from '../../../src/recall/inject/entry.ts';
import { plain } from '../../../src/recall/inject/plain.ts';
import { estimateBlockTokens, tokenCost } from '../../../src/recall/inject/tokens.ts';

const FRAME = { attributes: { project: 'shop' }, head: 'Notes.' };
const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }).map((text) => plain(text) || 'x');
const line: fc.Arbitrary<BlockLine> = fc.record(
  {
    forms: fc.tuple(word, word, word).map(([a, b, c]): [string, string, string] => [`- ${a}`, `- ${a} ${b}`, `- ${a} ${b.repeat(20)} ${c}`]),
    id: word,
    rank: fc.integer({ min: 0, max: 5 }),
  },
  { requiredKeys: ['forms'] },
);

describe('fitting to a budget', () => {
  test('never goes over it, nor to 10,000 characters', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 60 }), fc.integer({ min: 0, max: 30_000 }), (lines, budget) => {
        const block = fitBlock(FRAME, lines, budget);
        expect(block.tokens).toBeLessThanOrEqual(budget);
        expect(block.tokens).toBe(estimateBlockTokens(block.text));
        expect(block.text.length).toBeLessThan(10_000);
      }),
    );
  });

  test('gives the same text for the same lines, in their order', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), fc.integer({ min: 0, max: 2_000 }), (lines, budget) => {
        expect(fitBlock(FRAME, lines, budget)).toEqual(fitBlock(FRAME, [...lines], budget));
        const { text } = fitBlock(FRAME, lines, budget);
        const rows = text.split('\n').slice(2, -1);
        let from = 0;
        for (const row of rows) {
          const at = lines.findIndex(({ forms }, index) => index >= from && forms.includes(row));
          expect(at).toBeGreaterThanOrEqual(from);
          from = at + 1;
        }
      }),
    );
  });

  const forms = (name: string): [string, string] => [`- ${name}`, `- ${name} ${'and more of it '.repeat(6)}`];

  test('short forms of all come before long forms of any', () => {
    const lines: BlockLine[] = ['one', 'two', 'three'].map((name) => ({ forms: forms(name), id: name }));
    const all = fitBlock(FRAME, lines, 60);
    expect(all.shown).toEqual(['one', 'two', 'three']);
    expect(all.text).not.toContain('more');
    const roomy = fitBlock(FRAME, lines, 100).text;
    expect(roomy).toContain('- one and more');
    expect(roomy).not.toContain('- three and more');
  });

  test('rank decides who finds room, place decides where it stands', () => {
    const lines: BlockLine[] = [
      { forms: ['- first in place'], id: 'a', rank: 2 },
      { forms: ['- last in place'], id: 'b', rank: 1 },
    ];
    expect(fitBlock(FRAME, lines, 38).shown).toEqual(['b']);
    expect(fitBlock(FRAME, lines, 400).shown).toEqual(['a', 'b']);
  });

  test('a heading comes with its first line, and not without one', () => {
    const lines: BlockLine[] = [
      { forms: ['- a'], section: '## One' },
      { forms: ['- b'], section: '## One' },
      { forms: [`- ${'c '.repeat(500)}`], section: '## Two' },
    ];
    const { text } = fitBlock(FRAME, lines, 100);
    expect(text.split('\n').slice(2, -1)).toEqual(['## One', '- a', '- b']);
  });

  test('no room for the frame or no lines means nothing at all', () => {
    expect(fitBlock(FRAME, [{ forms: ['- a'] }], 5)).toEqual(NOTHING);
    expect(fitBlock(FRAME, [], 500)).toEqual(NOTHING);
    expect(fitBlock(FRAME, [{ forms: ['- a'] }], 0)).toEqual(NOTHING);
  });
});

describe('the line of a record', () => {
  const entry: RecallEntry = {
    id: 'decision/use-sqlite',
    category: 'decision',
    title: 'Use SQLite',
    updatedAt: '2026-03-01T10:00:00Z',
    trust: 'confirmed',
    gist: 'SQLite in WAL mode',
  };
  const shortOf = (more: Partial<RecallEntry>): string => recallLine({ ...entry, ...more }).forms[0];

  test('has id, date and trust before what it says', () => {
    expect(shortOf({})).toBe('- decision/use-sqlite (2026-03-01, confirmed): Use SQLite: SQLite in WAL mode');
    expect(shortOf({ from: 'user', trust: 'observed' })).toBe('- decision/use-sqlite (2026-03-01, yours, observed): Use SQLite: SQLite in WAL mode');
  });

  test('says before its text that files have changed, and what it replaces', () => {
    expect(shortOf({ stale: ['src/a.ts', 'src/b.ts'] })).toContain('[may be outdated: src/a.ts, src/b.ts changed since]: Use');
    expect(shortOf({ stale: ['a', 'b', 'c', 'd', 'e'] })).toContain('a, b, c and 2 more changed since');
    expect(shortOf({ replaces: ['use-postgres'] })).toContain('[replaces use-postgres]: Use');
  });

  test('does not say its title twice', () => {
    expect(shortOf({ gist: 'Use SQLite' })).toMatch(/: Use SQLite$/);
    expect(shortOf({ gist: 'Use SQLite in WAL mode' })).toMatch(/: Use SQLite in WAL mode$/);
    expect(shortOf({ title: 'Use SQLite because it is small', gist: 'Use SQLite' })).toMatch(/: Use SQLite because it is small$/);
    expect(shortOf({ gist: '' })).toMatch(/: Use SQLite$/);
  });

  test('warnings are never cut, text is', () => {
    const long = shortOf({ gist: 'word '.repeat(400), stale: ['src/a.ts'] });
    expect(long).toContain('src/a.ts changed since');
    expect(long.length).toBeLessThan(400);
    expect(long.endsWith('…')).toBe(true);
  });
});

describe('tokens', () => {
  test('add up over lines', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\n', ' ')),
          { maxLength: 6 },
        ),
        (lines) => {
          expect(tokenCost(lines.map((one) => `${one}\n`).join(''))).toBeCloseTo(
            lines.reduce((sum, one) => sum + tokenCost(`${one}\n`), 0),
            6,
          );
        },
      ),
    );
  });

  // Counted once with a tokeniser whose counts lie within 3 % of what Claude 4 charges; the newest models charge half as much again.
  test.each([
    ['Use SQLite with WAL because one laptop needs no server and no one wants to run one.', 19],
    ['`rtk bun run test` failed silently; run `bun run test` without the prefix.', 21],
    ['- constraint/rate-limit (2026-03-01, confirmed): The billing API allows 100 requests a minute.', 25],
    ['src/app/recall/brief/brief.ts, src/recall/gate/gate.ts and test/app/recall/brief.test.ts', 33],
    ['数据库连接池的大小必须与工作进程数一致', 12],
    ['a94a8fe5ccb19ba61c4c0873d391e987982fbbd3', 25],
  ])('%j costs no less than Claude 4 charges, and not three times that', (text, counted) => {
    const tokens = estimateBlockTokens(text);
    expect(tokens).toBeGreaterThanOrEqual(counted);
    expect(tokens).toBeLessThanOrEqual(counted * 2.6);
  });
});
