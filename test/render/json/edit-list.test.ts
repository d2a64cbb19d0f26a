import fc from 'fast-check';
import { expect, test } from 'vitest';
import { appendJsonItem, removeJsonItems } from '../../../src/render/json/edit-list.ts';

const must = (result: ReturnType<typeof appendJsonItem>): string => {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
};
const isOurs = (value: unknown): boolean => typeof value === 'object' && value !== null && 'ours' in value;

test('an item is added behind the others and every other byte stays', () => {
  const text = '{\n\t"hooks": {\n\t\t"Stop": [ \n\t\t\t{ "a" :1 }\n\t\t]\n\t},\n\t"z":1.50\n}';
  expect(must(appendJsonItem(text, ['hooks', 'Stop'], { ours: true }))).toBe(
    '{\n\t"hooks": {\n\t\t"Stop": [ \n\t\t\t{ "a" :1 },\n\t\t\t{\n\t\t\t\t"ours": true\n\t\t\t}\n\t\t]\n\t},\n\t"z":1.50\n}',
  );
  expect(must(appendJsonItem('{"a":[1,2]}', ['a'], 3))).toBe('{"a":[1,2, 3]}');
  expect(JSON.parse(must(appendJsonItem(undefined, ['hooks', 'Stop'], 1)))).toEqual({ hooks: { Stop: [1] } });
});

test('what is no list or no JSON is refused', () => {
  expect(appendJsonItem('{"a":{}}', ['a'], 1)).toMatchObject({ ok: false, error: { code: 'CONFIG_ERROR' } });
  expect(appendJsonItem('{"a":', ['a'], 1)).toMatchObject({ ok: false });
});

test('adding and taking away again leaves the text as it was wherever the list was there', () => {
  const list = fc.array(fc.jsonValue(), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(list, fc.dictionary(fc.stringMatching(/^[a-g ]{1,8}$/), fc.jsonValue()), fc.constantFrom('', ' ', '\t'), (items, rest, indent) => {
      const text = JSON.stringify({ ...rest, hooks: { Stop: items, other: 1 } }, null, indent);
      const added = must(appendJsonItem(text, ['hooks', 'Stop'], { ours: 1 }));
      expect(JSON.parse(added)).toEqual({
        ...JSON.parse(JSON.stringify(rest)),
        hooks: { Stop: [...items, { ours: 1 }].map((item) => JSON.parse(JSON.stringify(item))), other: 1 },
      });
      expect(must(removeJsonItems(added, ['hooks', 'Stop'], (value) => isOurs(value) && Object.keys(value as object).length === 1))).toBe(text);
    }),
  );
});
