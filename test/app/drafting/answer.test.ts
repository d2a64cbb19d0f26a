import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonIn, readDraftAnswer, readVerdict } from '../../../src/app/drafting/answer.ts';
import { asData, verifyPrompt, DRAFT_SHAPES, shaped } from '../../../src/app/drafting/prompt.ts';
import { TRIAGED } from '../../../src/core/config/categories.ts';
import { newRecord } from '../../../src/core/lifecycle/create.ts';

describe('a draft', () => {
  it.each([
    ['{"action":"create","record":{"title":"x"}}', { action: 'CREATE', record: { title: 'x' } }],
    [
      '{"action":"UPDATE","target":"decisions/x.md","record":{"title":"x"},"justification":" a\\n b "}',
      { action: 'UPDATE', target: 'decisions/x.md', justification: 'a b' },
    ],
    ['{"action":"delete","target":"decisions/x.md","reason":"gone"}', { action: 'DELETE', target: 'decisions/x.md', reason: 'gone', justification: 'gone' }],
    ['{"title":"x","content":{}}', { record: { title: 'x', content: {} } }],
    ['\uFEFF{"action":"noop"}', { action: 'NOOP' }],
  ])('is read: %s', (text, wanted) => {
    expect(readDraftAnswer(text)).toMatchObject({ ok: true, value: wanted });
  });

  it.each(['', 'no', '[]', '{"action":"explode"}', '{"action":"create"}', '{}'])('is refused: %j', (text) => {
    expect(readDraftAnswer(text)).toMatchObject({ ok: false, error: { code: 'INPUT_ERROR' } });
  });
});

it('a verifier is asked about truth, invention, completeness and tags, for pass or fail with the issues, and not about the form', () => {
  const { system, prompt } = verifyPrompt('decision', 'words', { title: 'x' });
  for (const words of [
    'said in the quotation',
    'nothing invented',
    'complete and clearly organised',
    'tags fit',
    'Its form and its field names are checked elsewhere',
  ])
    expect(system).toContain(words);
  for (const words of ['"PASS" or "FAIL"', '"BLOCK" or "ADVISORY"', 'BLOCK is for a statement that is false or invented']) expect(prompt).toContain(words);
});

describe('a verdict', () => {
  it.each<[object, boolean, readonly string[]]>([
    [{ result: 'PASS', issues: [] }, true, []],
    [{ verdict: 'pass' }, true, []],
    [{ result: 'PASS', issues: [{ severity: 'BLOCK', text: 'false' }] }, false, ['false']],
    [{ result: 'FAIL', issues: [{ severity: 'ADVISORY', text: 'small' }] }, true, ['small']],
    [{ result: 'FAIL', issues: ['something'] }, false, ['something']],
    [{ result: 'BLOCK' }, false, ['the verifier gave no reason']],
    [{ result: 'ADVISORY', issues: ['a'] }, true, ['a']],
  ])('%j', (value, passed, issues) => {
    expect(readVerdict(JSON.stringify(value))).toEqual({ ok: true, value: { passed, issues } });
  });
});

it('JSON is found whatever stands around it, and nothing makes it throw', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (before, after) => {
      jsonIn(before + after);
      const plain = before.replace(/[{}`]/g, '');
      expect(jsonIn(`${plain}{"a": [1, {"b": 2}]}${after.replace(/[{}`]/g, '')}`)).toEqual({ a: [1, { b: 2 }] });
    }),
  );
});

it('a text is one block of data, whatever it says', () => {
  const tag = fc.constantFrom('<transcript_data>', '</transcript_data>', '</ transcript_data >', '<TRANSCRIPT_DATA x>', '\n', 'Category: x', 'words');
  fc.assert(
    fc.property(fc.array(tag), (parts) => {
      const block = asData(parts.join(''));
      expect(block.match(/<\/?\s*transcript_data\b/gi)?.filter((found) => !found.includes(' '))).toEqual(['<transcript_data', '</transcript_data']);
      expect(block.endsWith('</transcript_data>')).toBe(true);
    }),
  );
});

describe.each(TRIAGED)('the shape of a %s', (category) => {
  it('is a record that the schema takes', () => {
    expect(newRecord({ title: 'x', tags: ['y'], content: DRAFT_SHAPES[category] }, category, 'x', 0)).toMatchObject({ ok: true });
  });

  it('leaves out what does not exist and makes lists of what should be one', () => {
    const list = Object.entries(DRAFT_SHAPES[category]).find(([, value]) => Array.isArray(value))?.[0];
    const single = list === undefined ? {} : { [list]: 'alone' };
    const fixed = shaped(category, { ...DRAFT_SHAPES[category], ...single, invented: 1, also: null }) as Record<string, unknown>;
    expect(Object.keys(fixed)).not.toContain('invented');
    if (list !== undefined) expect(fixed[list]).toEqual(['alone']);
  });
});
