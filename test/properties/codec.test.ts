import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { sameValue } from '../../src/core/value.ts';
import { checkSize } from '../../src/core/record/draft.ts';
import { CATEGORIES } from '../../src/core/record/category.ts';
import type { MemoryRecord } from '../../src/core/record/schema.ts';
import { readPlain } from '../../src/render/front-matter/plain.ts';
import { writeFrontMatter } from '../../src/render/front-matter/write.ts';
import { parseRecordFile, renderRecordFile } from '../../src/render/record-file.ts';
import type { ParsedRecord } from '../../src/render/record.ts';
import { hostileText, longText, recordOf } from '../render/arbitrary.ts';
import { rounds } from '../rounds.ts';

const HINT = { category: 'runbook', id: 'from-the-path', time: '2000-01-01T00:00:00Z' } as const;
const RUNS = rounds(20, 60);

function read(path: string, text: string, category = HINT.category as MemoryRecord['category']): ParsedRecord {
  const parsed = parseRecordFile(path, text, { ...HINT, category });
  if (!parsed.ok) throw new Error(`${parsed.error.message}\n${text}`);
  return parsed.value;
}

const throughDisk = (text: string): string => Buffer.from(text, 'utf8').toString('utf8');

/** Edits that a person may make to a file without meaning to change the record. */
const additions = fc.record({
  comment: fc.boolean(),
  unknownKey: fc.option(fc.constantFrom('aliases: [x]', 'pinned: true', '"my key": 1', 'note: |\n  two\n  lines', 'exactly: {a: [1, 2]}')),
  section: fc.option(fc.constantFrom('## My notes\n\nkeep *this*\n', '## Links\n- [a](b)\n', '# Another title\ntext\n', '## 備考\n```\n## Context\n```\n')),
  sectionAt: fc.nat(20),
  blankLines: fc.boolean(),
  windows: fc.boolean(),
  mark: fc.boolean(),
});

/** Applies them between the chunks of a file; returns it and the lines that must never get lost. */
function edited(file: string, by: typeof additions extends fc.Arbitrary<infer T> ? T : never): { text: string; kept: string[] } {
  const { layout } = read('a.md', file);
  if (layout.form !== 'markdown') throw new Error('not Markdown');
  const kept: string[] = [];
  const keep = (text: string): string => {
    kept.push(...text.split('\n').filter((line) => line !== ''));
    return text;
  };
  const front = `---\n${by.comment ? keep('# mine\n') : ''}${layout.frame.yaml ?? ''}${by.unknownKey === null ? '' : `${keep(by.unknownKey)}\n`}---\n`;
  const chunks = layout.chunks.map((chunk) => chunk.before + chunk.body + chunk.after + (by.blankLines && chunk.home === 'section' ? '\n\n' : ''));
  const sections = layout.chunks.flatMap((chunk, at) => (chunk.home === 'section' ? [at] : []));
  if (by.section !== null) chunks.splice(sections[by.sectionAt % sections.length] ?? chunks.length, 0, `${keep(by.section)}\n`);
  const text = (by.mark ? '\uFEFF' : '') + front + chunks.join('');
  return { text: by.windows ? text.replaceAll('\n', '\r\n') : text, kept };
}

describe.each(CATEGORIES)('%s', (category) => {
  const record = recordOf(category);

  test('any record survives its Markdown file', () => {
    fc.assert(
      fc.property(record, (given) => {
        const text = renderRecordFile('a.md', given);
        const { record: back, layout } = read('a.md', throughDisk(text));
        expect(back).toEqual(given);
        expect(renderRecordFile('a.md', back, layout)).toBe(text);
      }),
      { numRuns: RUNS },
    );
  });

  test('any record survives its JSON file', () => {
    fc.assert(
      fc.property(record, (given) => {
        const text = renderRecordFile('a.json', given);
        const { record: back, layout } = read('a.json', throughDisk(text));
        expect(back).toEqual(given);
        expect(renderRecordFile('a.json', back, layout)).toBe(text);
        expect(text.endsWith('\n}\n')).toBe(true);
      }),
      { numRuns: RUNS },
    );
  });

  test('a file that a person added to says the same and is left byte for byte', () => {
    fc.assert(
      fc.property(record, additions, (given, by) => {
        const plain = renderRecordFile('a.md', given);
        fc.pre(!plain.includes('\r'));
        const { text } = edited(plain, by);
        const { record: back, layout } = read('a.md', text);
        expect(back).toEqual(given);
        expect(renderRecordFile('a.md', back, layout)).toBe(text);
      }),
      { numRuns: RUNS },
    );
  });

  test('a file that is written again holds the new record and all that a person added', () => {
    fc.assert(
      fc.property(record, record, additions, (given, next, by) => {
        const { text, kept } = edited(renderRecordFile('a.md', given), by);
        const { layout } = read('a.md', text);
        const again = renderRecordFile('a.md', next, layout);
        expect(read('a.md', again).record).toEqual(next);
        for (const line of kept) expect(again).toContain(line);
        if (by.windows) expect(again.replaceAll('\r\n', '')).not.toContain('\n');
      }),
      { numRuns: RUNS },
    );
  });

  test('a record survives a file with any text at all around it', () => {
    fc.assert(
      fc.property(record, record, hostileText, hostileText, (given, next, above, below) => {
        const file = renderRecordFile('a.md', given);
        const text = `${file.replace(/\n## /, () => `\n${above}\n\n## `)}\n${below}`;
        const parsed = parseRecordFile('a.md', text, { ...HINT, category });
        fc.pre(parsed.ok);
        expect(renderRecordFile('a.md', parsed.value.record, parsed.value.layout)).toBe(text);
        expect(read('a.md', renderRecordFile('a.md', next, parsed.value.layout)).record).toEqual(next);
      }),
      { numRuns: RUNS },
    );
  });

  test('a change of one field changes that field only', () => {
    fc.assert(
      fc.property(record, record, fc.nat(), (given, other, pick) => {
        const keys = Object.keys(given.content).filter((key) => key in other.content);
        const key = keys[pick % keys.length] ?? '';
        const next = { ...given, content: { ...given.content, [key]: (other.content as Record<string, unknown>)[key] } } as MemoryRecord;
        const { layout } = read('a.md', renderRecordFile('a.md', given));
        const again = read('a.md', renderRecordFile('a.md', next, layout));
        expect(again.record).toEqual(next);
        if (layout.form !== 'markdown' || again.layout.form !== 'markdown') throw new Error('not Markdown');
        const chunks = (from: typeof layout): string[] =>
          from.chunks.filter((chunk) => chunk.field?.key !== key).map((chunk) => chunk.before + chunk.body + chunk.after);
        expect(chunks(again.layout)).toEqual(chunks(layout));
      }),
      { numRuns: RUNS },
    );
  });

  test('10 KB in every field survive both forms', () => {
    fc.assert(
      fc.property(recordOf(category, longText), (given) => {
        fc.pre(checkSize({ ...given }).ok);
        for (const path of ['a.md', 'a.json']) expect(sameValue(read(path, throughDisk(renderRecordFile(path, given))).record, given)).toBe(true);
      }),
      { numRuns: rounds(3, 10), endOnFailure: true },
    );
  });
});

test('what the quick reader of front matter understands, YAML understands alike', () => {
  const value = fc.oneof(
    hostileText,
    fc.array(hostileText, { maxLength: 5 }),
    fc.jsonValue({ maxDepth: 3 }),
    fc.array(fc.dictionary(fc.constantFrom('a', 'b_c'), fc.jsonValue({ maxDepth: 2 }), { minKeys: 1 })),
  );
  const entries = fc.uniqueArray(fc.tuple(fc.constantFrom('changes', 'exact', 'origin', 'note', 'tags'), value), { selector: ([key]) => key, minLength: 1 });
  const extra = fc.constantFrom(
    '',
    '',
    '# comment\n',
    'a:\n',
    'a: [x, 1.0]\n',
    'a: [x,y]\n',
    'a: [x, ]\n',
    'a: ~\n',
    'a: 1_000\n',
    'a: 0x1f\n',
    'a:\n  b:\n',
    'a:\n  - b\n',
    'a:\n- b\n',
    'a: b \n',
    'a: "b" c\n',
  );
  let quick = 0;
  fc.assert(
    fc.property(entries, extra, (given, more) => {
      const plain = given.map(([key, held]): [string, unknown] => [key, JSON.parse(JSON.stringify(held))]);
      const text = writeFrontMatter(plain) + more;
      const fast = readPlain(text);
      if (more === '') expect(fast).toEqual(new Map(plain));
      if (!fast) return;
      quick += 1;
      expect(new Map(Object.entries(parseYaml(text) as object))).toEqual(fast);
    }),
    { numRuns: 500 },
  );
  expect(quick).toBeGreaterThan(60);
});
