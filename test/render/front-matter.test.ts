import { describe, expect, test } from 'vitest';
import { parseRecordFile } from '../../src/render/record-file.ts';
import { spent } from '../processor.ts';

const read = (yaml: string) =>
  parseRecordFile('x.md', `---\n${yaml}\n---\n\n# T\n\n## Decision\nyes\n`, { category: 'decision', id: 'a', time: '2026-01-01T00:00:00Z' });

const laughs = ['a0: &a0 [lol]', ...Array.from({ length: 30 }, (_, at) => `a${at + 1}: &a${at + 1} [*a${at}, *a${at}, *a${at}]`)].join('\n');
const MANY = 100_000;

describe('front matter that means harm', () => {
  test.each<[string, string]>([
    ['aliases that multiply', laughs],
    ['an alias to itself', 'a: &a [*a]'],
    ['an anchor', 'a: &a 1'],
    ['a tag for code', 'a: !!js/function "x"'],
    ['a tag of its own', 'a: !x y'],
    ['a directive', '%YAML 1.1\nid: a'],
    ['deep flow lists', `a: ${'['.repeat(MANY)}`],
    ['deep flow maps', `a: ${'{a: '.repeat(MANY)}`],
    ['deep lists in a line', `${'- '.repeat(MANY)}a`],
    ['deep keys in a line', '? '.repeat(MANY)],
    ['deep indentation', Array.from({ length: 2000 }, (_, at) => `${' '.repeat(at)}a:`).join('\n')],
    ['deep JSON', `exact: ${'['.repeat(MANY)}${']'.repeat(MANY)}`],
    ['anchors in a row', `a: ${'&a '.repeat(MANY)}`],
    ['too many keys', Array.from({ length: MANY }, (_, at) => `k-${at}: 1`).join('\n')],
    ['too many keys in a line', `a: {${Array.from({ length: MANY }, (_, at) => `k${at}: 1`).join(', ')}}`],
    ['too many comments', `${'# c\n'.repeat(MANY)}id: a`],
    ['bad escapes', `a: "${String.raw`\q`.repeat(MANY)}"`],
    ['bad code points', `a: "${String.raw`\u12`.repeat(MANY)}"`],
    ['too much text', `a: '${'x'.repeat(3_000_000)}'`],
    ['documents in a row', '...\na: 1\n...\nb: 2'],
    ['an unclosed quote', `a: "${'x\n'.repeat(MANY)}`],
    ['a list as a key', '? [a, b]\n: c'],
  ])('%s is refused in no time', (_, yaml) => {
    const before = spent();
    const parsed = read(yaml);
    const took = spent() - before;
    expect(parsed).toMatchObject({ ok: false, error: { message: expect.stringMatching(/^line \d+: /) as string } });
    expect(took).toBeLessThan(3_000);
  });

  test.each<[string, string]>([
    ['a merge key', '<<: {id: evil}'],
    ['keys of objects', '__proto__: {polluted: 1}\nconstructor: 1'],
    ['keys of objects further down', 'changes:\n  - {date: 2026-01-01, summary: x, old_value: {__proto__: {polluted: 1}}}'],
    ['numbers out of range', 'mine: 1e999\nother: .nan'],
  ])('%s do nothing', (_, yaml) => {
    expect(read(yaml)).toMatchObject({ ok: true, value: { record: { id: 'a' } } });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test.each<[string, string]>([
    ['lists', `a: ${'['.repeat(257)}b${']'.repeat(257)}`],
    ['marks in a line', `a:\n  ${'- '.repeat(257)}x`],
    ['blanks', `a:\n${' '.repeat(161)}b: c`],
  ])('257 levels of %s are too many', (_, yaml) => {
    expect(read(yaml)).toMatchObject({ ok: false, error: { message: expect.stringMatching(/more than 256 levels/) as string } });
  });

  test('a file beyond all measure is not read', () => {
    expect(parseRecordFile('x.md', 'x'.repeat(17 * 1024 * 1024), { category: 'decision', id: 'a', time: '2026-01-01T00:00:00Z' })).toMatchObject({
      ok: false,
      error: { code: 'READ_ERROR' },
    });
  });

  test('an exact value cannot say what the body does not show', () => {
    const parsed = read('exact:\n  decision: "no, on the contrary"\n  title: 7\n  context: [x]');
    expect(parsed).toMatchObject({ ok: true, value: { record: { title: 'T', content: { decision: 'yes' } } } });
  });
});
