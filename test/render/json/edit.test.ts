import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { setJsonValue, unsetJsonValue } from '../../../src/render/json/edit.ts';

const set = (text: string | undefined, path: string, value: unknown): string => {
  const outcome = setJsonValue(text, path.split('.'), value);
  return outcome.ok ? outcome.value : `${outcome.error.code}: ${outcome.error.message}`;
};
const unset = (text: string, path: string): string => {
  const outcome = unsetJsonValue(text, path.split('.'));
  return outcome.ok ? outcome.value : `${outcome.error.code}: ${outcome.error.message}`;
};

describe('setJsonValue', () => {
  it.each<[string, string | undefined, string, unknown, string]>([
    ['a new file', undefined, 'memory.mode', 'manual', '{\n  "memory": {\n    "mode": "manual"\n  }\n}\n'],
    ['an empty file', ' \n', 'a', 1, '{\n  "a": 1\n}\n'],
    ['a value in place', '{ "a" :  1 , "b":2 }', 'a', 7, '{ "a" :  7 , "b":2 }'],
    ['a value in place, deep', '{\n\t"x": [1,{"a":2}],\n\t"a": {"b": {"c": "}"}}\n}', 'a.b.c', false, '{\n\t"x": [1,{"a":2}],\n\t"a": {"b": {"c": false}}\n}'],
    ['a member after the last', '{\n    "a": 1\n}\n', 'b', 2, '{\n    "a": 1,\n    "b": 2\n}\n'],
    ['a member with objects on the way', '{\n  "a": 1\n}', 'b.c.d', 2, '{\n  "a": 1,\n  "b": {\n    "c": {\n      "d": 2\n    }\n  }\n}'],
    [
      'a member of an inner object',
      '{\n  "m": {\n    "a": 1\n  },\n  "z": 0\n}',
      'm.b',
      [1],
      '{\n  "m": {\n    "a": 1,\n    "b": [\n      1\n    ]\n  },\n  "z": 0\n}',
    ],
    ['a member of an empty object', '{\n  "m": {},\n  "z": 0\n}', 'm.b', 1, '{\n  "m": {\n    "b": 1\n  },\n  "z": 0\n}'],
    ['a member on one line', '{"a":1}', 'b.c', 2, '{"a":1,"b":{"c":2}}'],
    ['a member on one line with spaces', '{"a": 1, "z": 3}', 'b', ['x'], '{"a": 1, "z": 3, "b": ["x"]}'],
    ['tabs and CRLF', '{\r\n\t"a": 1\r\n}\r\n', 'b.c', 2, '{\r\n\t"a": 1,\r\n\t"b": {\r\n\t\t"c": 2\r\n\t}\r\n}\r\n'],
    ['a byte order mark', '\uFEFF{"a": 1}', 'a', 2, '\uFEFF{"a": 2}'],
    ['the last of two members of one name', '{"a": 1, "a": 2}', 'a', 3, '{"a": 1, "a": 3}'],
    ['names and texts with quotes', '{"q\\"": "\\\\", "a": {"\\u0062": 1}}', 'a.b', 2, '{"q\\"": "\\\\", "a": {"\\u0062": 2}}'],
  ])('%s', (_what, text, path, value, result) => expect(set(text, path, value)).toBe(result));

  it.each([
    ['{ "a": 1,', /^CONFIG_ERROR: the file is not a JSON object/],
    ['// note\n{}', /^CONFIG_ERROR/],
    ['[1]', /^CONFIG_ERROR/],
    ['null', /^CONFIG_ERROR/],
    ['{"m": 5}', /^CONFIG_ERROR: m is not an object/],
    ['{"m": ["{"]}', /^CONFIG_ERROR: m is not an object/],
  ])('refuses %j', (text, message) => expect(set(text, 'm.a', 1)).toMatch(message));
});

describe('unsetJsonValue', () => {
  it.each([
    ['{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}\n', 'b', '{\n  "a": 1,\n  "c": 3\n}\n'],
    ['{\n  "a": 1,\n  "b": 2\n}\n', 'b', '{\n  "a": 1\n}\n'],
    ['{\n  "a": 1\n}\n', 'a', '{}\n'],
    ['{\n  "m": {\n    "x": {\n      "y": 1\n    }\n  },\n  "z": 0\n}', 'm.x.y', '{\n  "z": 0\n}'],
    ['{"m": {"x": 1, "y": 2}}', 'm.x', '{"m": {"y": 2}}'],
    ['{"a": 1, "b": 0, "a": 2}', 'a', '{"b": 0}'],
    ['{"a": 1}', 'b.c', '{"a": 1}'],
    ['{"a": 1}', 'a.c', '{"a": 1}'],
    ['', 'a', ''],
  ])('%j without %s', (text, path, result) => expect(unset(text, path)).toBe(result));
});

describe('any settings file', () => {
  // Not both a quote and a backslash: once Node 24.21 has parsed an object with one as a key, it takes the other for it.
  const names = fc.constantFrom('a', 'b', 'memory', 'x y', '"', 'é', '__proto__');
  const value = fc.letrec<{ node: unknown }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 3 },
      fc.integer(),
      fc.boolean(),
      fc.string(),
      fc.array(tie('node'), { maxLength: 3 }),
      fc.array(fc.tuple(names, tie('node')), { maxLength: 4 }).map((pairs) => Object.fromEntries(pairs)),
    ),
  })).node;
  const files = fc
    .tuple(fc.array(fc.tuple(names, value), { maxLength: 5 }), fc.constantFrom(0, 1, 2, 4, '\t'), fc.constantFrom('\n', '\r\n'), fc.constantFrom('', '\n'))
    .map(([pairs, indent, eol, end]) => (JSON.stringify(Object.fromEntries(pairs), null, indent) + end).replaceAll('\n', eol));
  const path = fc.array(fc.constantFrom('memory', 'a', 'b', 'new'), { minLength: 1, maxLength: 3 });

  it('holds the value afterwards, and everything else as it was', () => {
    fc.assert(
      fc.property(files, path, value, (text, where, wanted) => {
        const outcome = setJsonValue(text, where, wanted);
        if (!outcome.ok) return;
        const after = JSON.parse(outcome.value) as Record<string, unknown>;
        expect(where.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], after)).toEqual(JSON.parse(JSON.stringify(wanted)));
        const before = JSON.parse(text) as Record<string, unknown>;
        const others = (object: Record<string, unknown>): unknown[] => Object.entries(object).filter(([name]) => name !== where[0]);
        expect(others(after)).toEqual(others(before));
        expect(setJsonValue(outcome.value, where, wanted)).toEqual(outcome);
      }),
      { numRuns: 500 },
    );
  });

  it('is byte for byte what it was when a new value is taken back', () => {
    fc.assert(
      fc.property(files, (text) => {
        fc.pre(!('fresh' in JSON.parse(text)) && text.trim() !== '{}');
        const there = setJsonValue(text, ['fresh', 'deep', 'key'], [1, { a: 2 }]);
        expect(there.ok && unsetJsonValue(there.value, ['fresh', 'deep', 'key'])).toEqual({ ok: true, value: text });
      }),
      { numRuns: 500 },
    );
  });
});
