import { type MemoryRecord, RECORD_SCHEMAS } from '../core/record/schema.ts';
import { refuse, type Result } from '../core/result.ts';
import { parseJson } from './json/parse.ts';
import { renderJson } from './json/render.ts';
import { parseMarkdown } from './markdown/parse.ts';
import { renderMarkdown } from './markdown/render.ts';
import type { Layout, ParsedRecord, RecordHint } from './record.ts';
import { FRONT_MATTER_FIELDS } from './front-matter/read.ts';
import { EXACT } from './markdown/body-parts.ts';

/** Parses a record's file as Markdown or JSON, by its extension. */
export function parseRecordFile(path: string, text: string, hint: RecordHint): Result<ParsedRecord> {
  if (path.endsWith('.json')) return parseJson(text, hint);
  if (path.endsWith('.md')) return parseMarkdown(text, hint);
  return refuse('PATH_ERROR', `${path} is neither Markdown nor JSON`, { hint: 'records are .md and .json files' });
}

/** The text of a record's file; with the layout of the file it came from, manual additions stay. */
export function renderRecordFile(path: string, record: MemoryRecord, layout?: Layout): string {
  if (path.endsWith('.json')) return renderJson(record, layout?.form === 'json' ? layout : undefined);
  return renderMarkdown(record, layout?.form === 'markdown' ? layout : undefined);
}

const FIELD_KEYS: ReadonlySet<string> = new Set([...FRONT_MATTER_FIELDS, 'title', EXACT]);

/** Text that a person added to a record's file and that belongs to no field. */
export function extrasOf(layout: Layout): readonly string[] {
  if (layout.form === 'json') {
    const { shape } = RECORD_SCHEMAS[layout.record.category];
    return Object.entries(layout.object)
      .filter(([key]) => !Object.hasOwn(shape, key))
      .map((entry) => JSON.stringify(entry));
  }
  const keys = [...layout.values].filter(([key]) => !FIELD_KEYS.has(key)).map((entry) => JSON.stringify(entry));
  const text = layout.chunks.filter(({ field }) => !field).map(({ before, body, after }) => (before + body + after).trim().replaceAll('\r\n', '\n'));
  return [...keys, ...text.filter((part) => part !== '')];
}
