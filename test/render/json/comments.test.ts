import { expect, test } from 'vitest';
import { commentedValue, editCommented } from '../../../src/render/json/comments.ts';
import { removeJsonItems } from '../../../src/render/json/edit-list.ts';
import { setJsonValue } from '../../../src/render/json/edit.ts';

test('what stands between two comments is no comment, and the comma before it is no trailing one', () => {
  const text = '{ "a": 1, /* one */ "b": [2], /* two */ }';
  expect(commentedValue(text, ['b'])).toEqual([2]);
  expect(editCommented(text, (json) => setJsonValue(json, ['b'], 3))).toEqual({ ok: true, value: '{ "a": 1, /* one */ "b": 3, /* two */ }' });
});

test.each(['{ "a": 1, /* * / ** */ }', '{ "a": 1, // }\n }', '{ "a": 1, /**/ /***/ }', '{ "x": "/* , } */", "a": 1, }'])('a value is read in %j', (text) => {
  expect(commentedValue(text, ['a'])).toBe(1);
});

test.each([
  ['{ "tools": {\n/* // y */} }', '{ "tools": {\n/* // y */"x": false\n} }'],
  ['{ "tools": { // mine\n} }', undefined],
  ['{ "tools": { /* a */ // b\n /* c */ } }', undefined],
  ['/* h */ { } // end', undefined],
  ['// head\n{\n}', undefined],
  ['{ "tools": { "a": 1 // last\n}, /* b */ }', undefined],
])('a value that is added where a comment stands leaves the comment whole: %j', (text, wanted) => {
  const changed = editCommented(text, (json) => setJsonValue(json, ['tools', 'x'], false));
  if (wanted !== undefined) expect(changed).toEqual({ ok: true, value: wanted });
  if (!changed.ok) throw new Error(changed.error.message);
  for (const [comment] of text.matchAll(/\/\/.*|\/\*.*?\*\//g)) expect(changed.value).toContain(comment);
  expect(commentedValue(changed.value, ['tools', 'x'])).toBe(false);
  expect(commentedValue(changed.value, ['tools', 'a'])).toBe(text.includes('"a"') ? 1 : undefined);
});

test('an item that is not JSON is refused, not thrown', () => {
  expect(removeJsonItems('{ "hooks": { "Stop": [{ "a": 1 "b": 2 }] } }', ['hooks', 'Stop'], () => true)).toMatchObject({
    ok: false,
    error: { code: 'CONFIG_ERROR' },
  });
});
