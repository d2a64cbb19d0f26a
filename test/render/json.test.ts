import { describe, expect, test } from 'vitest';
import type { MemoryRecord } from '../../src/core/record/schema.ts';
import { parseRecordFile, renderRecordFile } from '../../src/render/record-file.ts';
import type { ParsedRecord } from '../../src/render/record.ts';

const HINT = { category: 'decision', id: 'from-the-name', time: '2026-03-01T08:00:00Z' } as const;
const CONTENT = { status: 'accepted', context: 'c', decision: 'd', rationale: ['r'] };
const parse = (text: string) => parseRecordFile('x.json', text, HINT);

function read(text: string): ParsedRecord {
  const parsed = parse(text);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.value;
}

const FILE = `{
    "title": "Use JSON",
    "mine": {"kept": [1, 2]},
    "id": "use-json",
    "category": "decision",
    "content": {
        "rationale": ["r"],
        "note": "kept too",
        "decision": "d", "context": "c", "status": "accepted"
    },
    "tags": ["b", "a"],
    "schema_version": "1.0",
    "created_at": "2026-01-01T00:00:00Z",
    "updated_at": "2026-01-02T00:00:00Z"
}`;

describe('JSON record files', () => {
  test('a new one has the fields in their order, two blanks of indentation and a line end', () => {
    const { record } = read(FILE);
    const text = renderRecordFile('x.json', record);
    expect(Object.keys(JSON.parse(text) as object)).toEqual(['schema_version', 'category', 'id', 'title', 'created_at', 'updated_at', 'tags', 'content']);
    expect(text).toMatch(/^\{\n {2}"schema_version": "1.0",\n[^]*\n\}\n$/);
  });

  test('an unchanged one is left byte for byte, whatever its layout', () => {
    const { record, layout } = read(FILE);
    expect(renderRecordFile('x.json', record, layout)).toBe(FILE);
  });

  test('a changed one keeps its order, its indentation and the keys that a person added', () => {
    const { record, layout } = read(FILE);
    const next = { ...record, title: 'Use YAML', trust: 'confirmed', content: { ...record.content, context: 'new', consequences: [] } } as MemoryRecord;
    const text = renderRecordFile('x.json', next, layout);
    const object = JSON.parse(text) as Record<string, object>;
    expect(Object.keys(object)).toEqual(['title', 'mine', 'id', 'category', 'content', 'tags', 'schema_version', 'created_at', 'updated_at', 'trust']);
    expect(Object.keys(object['content'] ?? {})).toEqual(['rationale', 'note', 'decision', 'context', 'status', 'consequences']);
    expect(object).toMatchObject({ mine: { kept: [1, 2] }, content: { note: 'kept too', context: 'new' } });
    expect(text).toContain('\n    "title": "Use YAML",\n');
    expect(read(text).record).toEqual(next);
  });

  test('a key that is no longer there goes', () => {
    const { record, layout } = read(FILE.replace('"tags"', '"confidence": null, "tags"'));
    expect(record.confidence).toBeNull();
    const { confidence, ...rest } = record;
    expect(confidence).toBeNull();
    expect(renderRecordFile('x.json', rest as MemoryRecord, layout)).not.toContain('confidence');
  });

  test('Windows line ends and a byte-order mark stay', () => {
    const { record, layout } = read(`\uFEFF${FILE.replaceAll('\n', '\r\n')}`);
    const text = renderRecordFile('x.json', { ...record, title: 'New' }, layout);
    expect(text.startsWith('\uFEFF{\r\n')).toBe(true);
    expect(text.replaceAll('\r\n', '')).not.toContain('\n');
  });

  test('what is missing is filled in; without a time it counts as the oldest', () => {
    const { record, filled } = read(JSON.stringify({ title: 'T', content: CONTENT, trust: null }));
    expect(record).toEqual({
      schema_version: '1.0',
      category: 'decision',
      id: 'from-the-name',
      title: 'T',
      created_at: '1970-01-01T00:00:00Z',
      updated_at: HINT.time,
      tags: ['untagged'],
      content: CONTENT,
    });
    expect(filled).toEqual(['schema_version', 'id', 'created_at', 'updated_at', 'tags']);
  });

  test.each<[string, string, RegExp]>([
    ['no JSON', '{\n  "id": "a",\n  broken', /^line 3: the file is not JSON/],
    ['half of one', '{\n  "id": "a"', /^line 2: the file is not JSON/],
    ['a list', '[1]', /not a JSON object/],
    ['nothing', '', /not JSON/],
    ['a category that is none', '{"category": "opinion"}', /not a category/],
    ['no content', '{\n  "title": "x"\n}', /content/],
    ['a title of 121 characters', `{\n  "title": "${'x'.repeat(121)}",\n  "content": ${JSON.stringify(CONTENT)}}`, /^line 2: .*title/],
    [
      'a key too many in a change',
      `{"title": "t", "content": ${JSON.stringify(CONTENT)}, "changes": [{"date": "2026-01-01", "summary": "s", "(": 1}]}`,
      /changes\.0\.\(/,
    ],
    ['deep nesting', `{"mine": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`, /nested too deeply/],
  ])('%s is refused', (_, text, message) => {
    const parsed = parse(text);
    expect(parsed.ok ? '' : parsed.error.message).toMatch(message);
  });

  test('Markdown and JSON are the same record', () => {
    const { record } = read(FILE);
    const markdown = parseRecordFile('x.md', renderRecordFile('x.md', record), HINT);
    expect(markdown.ok && markdown.value.record).toEqual(record);
  });
});
