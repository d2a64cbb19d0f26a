import fc from 'fast-check';
import { expect, test } from 'vitest';
import { redact } from '../../../src/core/redact/text.ts';
import { redactDeep } from '../../../src/core/redact/deep.ts';
import { lookalikes } from './lookalikes.ts';
import { plant, SURROUNDINGS } from './planted.ts';
import { rounds } from '../../rounds.ts';

const PIECES = [
  'password',
  'Password',
  'DB_PASSWORD',
  'token',
  'api_key',
  'secret',
  'passphrase',
  'auth',
  'key',
  'Authorization',
  'Bearer ',
  'Basic ',
  'machine a login b password ',
  '=',
  ': ',
  ' = ',
  '"',
  "'",
  '`',
  '\\"',
  '\\',
  '\\n',
  '\n',
  '\r\n',
  ' ',
  ',',
  ';',
  '&',
  '?',
  '@',
  '://',
  'postgres://u:',
  '-----',
  '<private>',
  '</private>',
  '<PRIVATE>',
  '[redacted:',
  '[redacted:token]',
  '[private]',
  ']',
  '${',
  '}',
  '$',
  '%3D',
  '%',
  '|',
  ' | ',
  '**',
  '--',
  '-',
  '+',
  '→',
  'é',
  '😀',
  '\ud800',
  'a1B2c3D4e5F6g7H8',
  'hunter2',
  'S3cr3t!x',
  'sk-',
  'gh' + 'p_',
  'AK' + 'IA',
  'ey' + 'J',
  'sig=',
  'curl -u a:',
  'echo ',
  ' | docker login --password-stdin',
  '1234567890:',
  'is ',
  'value',
  'name',
];
const planted = plant(3).map((one) => one.text);
const messy = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...PIECES) },
      { weight: 1, arbitrary: fc.constantFrom(...planted) },
      { weight: 1, arbitrary: fc.constantFrom(...lookalikes) },
      fc.string({ unit: 'binary' }),
    ),
    {
      maxLength: 30,
    },
  )
  .map((parts) => parts.join(''));

test('redacting twice changes nothing', () => {
  fc.assert(
    fc.property(messy, (text) => {
      const once = redact(text).text;
      expect(redact(once)).toEqual({ text: once, redactions: [] });
    }),
    { numRuns: rounds(1000, 4000) },
  );
});

test('places are in order, apart and inside the text, and the rest of the text stays as it was', () => {
  fc.assert(
    fc.property(messy, (text) => {
      const { text: clean, redactions: found } = redact(text);
      let rebuilt = '';
      let from = 0;
      for (const { kind, start, end } of found) {
        expect(start).toBeGreaterThanOrEqual(from);
        expect(end).toBeGreaterThan(start);
        expect(end).toBeLessThanOrEqual(text.length);
        rebuilt += text.slice(from, start) + (kind === 'private' ? '[private]' : `[redacted:${kind}]`);
        from = end;
      }
      expect(rebuilt + text.slice(from)).toBe(clean);
    }),
    { numRuns: rounds(1000, 4000) },
  );
});

test('no planted secret survives, whatever stands around it', () => {
  const names = Object.keys(SURROUNDINGS);
  fc.assert(
    fc.property(fc.nat(), fc.nat(), fc.constantFrom(...names), fc.lorem(), fc.lorem(), (seed, index, name, before, after) => {
      const all = plant(seed);
      const one = all[index % all.length];
      if (one === undefined) return;
      const surround = SURROUNDINGS[name] ?? ((text: string) => text);
      const { text } = redact(`${before}.\n${surround(one.text)}\n${after}`);
      for (const needle of one.needles) expect(text).not.toContain(needle);
    }),
    // A random value now and then looks like a word; a fixed seed keeps the run the same for everyone.
    { numRuns: rounds(500, 2000), seed: 20_260_101 },
  );
});

test('plain words are never touched', () => {
  fc.assert(
    fc.property(fc.lorem({ maxCount: 60, mode: 'sentences' }), (text) => {
      expect(redact(text)).toEqual({ text, redactions: [] });
    }),
  );
});

test('a structured value keeps its shape, and redacting it twice changes nothing', () => {
  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      messy,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('password', 'token', '__proto__', 'name', 'value')), tie('value'), { maxKeys: 4 }),
    ),
  })).value;
  fc.assert(
    fc.property(json, (value) => {
      const before = JSON.stringify(value);
      const once = redactDeep(value);
      expect(JSON.stringify(value)).toBe(before);
      expect(redactDeep(once.value)).toEqual({ value: once.value, redactions: [] });
      if (once.redactions.length === 0) expect(once.value).toBe(value);
    }),
    { numRuns: rounds(400, 1500) },
  );
});
