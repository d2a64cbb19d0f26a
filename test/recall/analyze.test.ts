import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { analyze } from '../../src/recall/text/analyze.ts';

describe('identifiers are found by their parts and as a whole', () => {
  test.each([
    ['AuthService', ['auth', 'servic', 'authservic']],
    ['auth_service', ['auth', 'servic', 'authservic']],
    ['AUTH_SERVICE', ['auth', 'servic', 'authservic']],
    ['authService', ['auth', 'servic', 'authservic']],
    ['src/auth/service.ts', ['src', 'auth', 'servic', 'ts']],
    ['ERR_AUTH_42', ['err', 'auth', '42', 'errauth42']],
    ['parseHTTPUrl', ['pars', 'http', 'url', 'parsehttpurl']],
    ['userIDs', ['user', 'id', 'userid']],
    ['__init__', ['init']],
    ['v2', ['v', '2', 'v2']],
    ['0ac166e', ['0ac166e']],
    ['1319', ['1319']],
  ])('%s', (text, terms) => {
    expect(analyze(text)).toEqual(terms);
  });

  test.each([
    ['AuthService', 'src/auth/service.ts'],
    ['auth_service', 'AuthService'],
    ['ERR_AUTH_42', 'errAuth42'],
    ['auth', 'AuthService'],
    ['42', 'ERR_AUTH_42'],
  ])('%s shares a term with %s', (asked, written) => {
    const terms = new Set(analyze(written));
    expect(analyze(asked).some((term) => terms.has(term))).toBe(true);
  });
});

describe('forms of a word are one term', () => {
  test.each([
    ['deploy', 'deploys deployed deploying'],
    ['decide', 'decides decided deciding'],
    ['went', 'go going goes gone'],
    ['bought', 'buy buying buys'],
    ['children', 'child kid kids'],
    ['index', 'indexes indices'],
    ['running', 'run ran runs'],
  ])('%s: %s', (word, forms) => {
    expect(new Set(analyze(`${word} ${forms}`)).size).toBe(1);
  });
});

describe('scripts', () => {
  test.each([
    ['accents are folded', 'café naïve Müller Ångström', ['cafe', 'naiv', 'muller', 'angstrom']],
    ['composed and decomposed are the same', 'cafe\u0301', ['cafe']],
    ['curly quotes do not join words', 'don’t use “tabs”', ['us', 'tab']],
    ['Chinese gives pairs', '数据库连接', ['数据', '据库', '库连', '连接']],
    ['a lone letter stands for itself', '猫', ['猫']],
    ['Japanese', 'エラー処理', ['エラ', 'ラー', 'ー処', '処理']],
    ['Korean', '검색 엔진', ['검색', '엔진']],
    ['Thai', 'ไทย', ['ไท', 'ทย']],
    ['two scripts in one run', 'React组件Props', ['react', '组件', 'prop']],
    ['full width', 'ＡＰＩ', ['api']],
    ['Cyrillic', 'Ошибка ёлка', ['ошибка', 'елка']],
    ['Hindi keeps its vowel signs', 'हिन्दी', ['हिन्दी']],
    ['emoji are no terms', 'done 🎉', ['done']],
  ])('%s', (_, text, terms) => {
    expect(analyze(text)).toEqual(terms);
  });
});

test('stop words are left out, also when written large', () => {
  expect(analyze('What did we do about IT, and why is The Index here?')).toEqual(['index']);
});

test('a term is letters, digits and marks only, whatever the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      for (const term of analyze(text)) expect(term).toMatch(/^[\p{L}\p{N}\p{M}]+$/u);
    }),
    { numRuns: 500 },
  );
});

test('what stands around a word does not change its terms', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-zA-Z_]{1,20}$/), fc.constantFrom(' ', '\n', '.', ',', '(', '"', '/', '-', '—'), (word, mark) => {
      expect(analyze(`${mark}${word}${mark}`)).toEqual(analyze(word));
    }),
  );
});

test('a long run of anything costs a bounded number of terms', () => {
  expect(analyze('a1'.repeat(5_000)).length).toBeLessThan(100);
});
