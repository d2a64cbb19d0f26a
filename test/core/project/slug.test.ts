import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSlug, SLUG_PATTERN, slugify, slugOr, uniqueSlug } from '../../../src/core/project/slug.ts';
import { ID_PATTERN } from '../../../src/core/record/schema.ts';

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

const anyCharacter = fc.integer({ min: 0, max: 0x10ffff }).map((point) => String.fromCodePoint(point));

describe('slugify', () => {
  it.each([
    ['  --Hello--  ', 'hello'],
    ['Ünïcödé Tïtle', 'unicode-title'],
    ['a'.repeat(100), 'a'.repeat(80)],
    [`${'a'.repeat(79)} b`, 'a'.repeat(79)],
    ['Use JWT, not sessions!', 'use-jwt-not-sessions'],
    ['auth—jwt', 'auth-jwt'],
    ['line\u2028break', 'line-break'],
    ['one\u00a0two\u3000three', 'one-two-three'],
    ['ﬁne ①', 'fine-1'],
    ['İstanbul K', 'istanbul-k'],
    ['snake_case.ts', 'snake-case-ts'],
    ['../../etc/passwd', 'etc-passwd'],
    ['決定', ''],
    ['🚀🚀', ''],
    ['🚀 launch 決定', 'launch'],
    ['', ''],
    ['\u0000\n\t', ''],
  ])('%j is %j', (text, slug) => expect(slugify(text)).toBe(slug));

  it('gives a slug or nothing, and the same again', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 200 }), (text) => {
        const slug = slugify(text);
        expect(slug === '' || isSlug(slug)).toBe(true);
        expect(slugify(slug)).toBe(slug);
      }),
      { numRuns: 500 },
    );
  });

  it('holds ids to the pattern of the record schema', () => expect(SLUG_PATTERN.source).toBe(ID_PATTERN.source));
});

describe('slugOr', () => {
  it('names a text without ASCII by its hash', () => {
    expect(slugOr('決定', md5)).toBe(`x-${md5('決定').slice(0, 10)}`);
    expect(slugOr('決定', md5)).not.toBe(slugOr('計画', md5));
    expect(slugOr('Use JWT', md5)).toBe('use-jwt');
  });
});

describe('uniqueSlug', () => {
  it('counts from 2', () => {
    expect(uniqueSlug('a', new Set())).toBe('a');
    expect(uniqueSlug('a', new Set(['a']))).toBe('a-2');
    expect(uniqueSlug('a', new Set(['a', 'a-2', 'a-3']))).toBe('a-4');
  });

  it('stays within 80 characters and stays a slug', () => {
    const long = 'a'.repeat(80);
    expect(uniqueSlug(long, new Set([long]))).toBe(`${'a'.repeat(78)}-2`);
    const hyphen = `${'a'.repeat(77)}-bc`;
    expect(uniqueSlug(hyphen, new Set([hyphen]))).toBe(`${'a'.repeat(77)}-2`);
    const taken = new Set([long, ...Array.from({ length: 120 }, (_, n) => `${'a'.repeat(80 - `-${n}`.length)}-${n}`)]);
    expect(isSlug(uniqueSlug(long, taken))).toBe(true);
    expect(taken.has(uniqueSlug(long, taken))).toBe(false);
  });
});
