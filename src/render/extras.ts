import { RECORD_SCHEMAS } from '../core/record/schema.ts';
import { FRONT_MATTER_FIELDS } from './front-matter/read.ts';
import { EXACT } from './markdown/exact.ts';
import type { Layout } from './record.ts';

const OURS: ReadonlySet<string> = new Set([...FRONT_MATTER_FIELDS, 'title', EXACT]);

/** What a person added to a record's file that is no field of the record. */
export function extrasOf(layout: Layout): readonly string[] {
  if (layout.form === 'json') {
    const { shape } = RECORD_SCHEMAS[layout.record.category];
    return Object.entries(layout.object)
      .filter(([key]) => !Object.hasOwn(shape, key))
      .map((entry) => JSON.stringify(entry));
  }
  const keys = [...layout.values].filter(([key]) => !OURS.has(key)).map((entry) => JSON.stringify(entry));
  const text = layout.chunks.filter(({ field }) => !field).map(({ before, body, after }) => (before + body + after).trim().replaceAll('\r\n', '\n'));
  return [...keys, ...text.filter((part) => part !== '')];
}
