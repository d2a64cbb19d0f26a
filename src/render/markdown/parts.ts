import type { MemoryRecord } from '../../core/record/schema.ts';
import { FRONT_MATTER_FIELDS } from '../front-matter/read.ts';
import { EXACT, writtenOf, type RenderedField } from './exact.ts';
import { RECORD_SHAPES, valueOf, type Field, type Shape } from './fields.ts';

/** The pieces that both a new file and a rewritten one are made of. */

export const titleLine = (text: string, shape: Shape): string => `# ${shape.titlePrefix}${text}\n`;
export const labelLine = (field: Field, text: string): string => `**${field.name}**:${text === '' ? '' : ` ${text}`}\n`;
export const sectionLines = (field: Field, text: string): string => `## ${field.name}\n${text === '' ? '' : `${text}\n`}`;

/** Whether a field's place is the body; related files go there only as a list of some. */
export const standsInBody = (field: Field, value: unknown): boolean =>
  value !== undefined && (field.key !== 'related_files' || (Array.isArray(value) && value.length > 0));

/** Front matter of a record by key, in order; the values of `exact` last. */
export function frontMatterOf(record: MemoryRecord, inBody: ReadonlySet<string>, exact: Readonly<Record<string, unknown>>): Map<string, unknown> {
  const held = record as unknown as Readonly<Record<string, unknown>>;
  const keys = FRONT_MATTER_FIELDS.filter((key) => held[key] !== undefined && !(key === 'related_files' && inBody.has(key)));
  return new Map([
    ...keys.map((key): [string, unknown] => [key, held[key]]),
    ...(Object.keys(exact).length === 0 ? [] : [[EXACT, exact] as [string, unknown]]),
  ]);
}

export interface NewBody {
  readonly text: string;
  readonly inBody: ReadonlySet<string>;
  readonly exact: Readonly<Record<string, unknown>>;
}

/** A body that nobody has touched. */
export function newBody(record: MemoryRecord, careful: boolean): NewBody {
  const shape = RECORD_SHAPES[record.category];
  const fields = shape.fields.filter((field) => standsInBody(field, valueOf(record, field)));
  const written = new Map(fields.map((field): [Field, RenderedField] => [field, writtenOf(field, valueOf(record, field), careful)]));
  const part = (home: Field['home'], line: (field: Field, text: string) => string): string[] =>
    fields.filter((field) => field.home === home).map((field) => line(field, written.get(field)?.text ?? ''));
  const labels = part('label', labelLine).join('');
  return {
    text: `\n${[...part('title', (_, text) => titleLine(text, shape)), ...(labels === '' ? [] : [labels]), ...part('section', sectionLines)].join('\n')}`,
    inBody: new Set(fields.map((field) => field.key)),
    exact: Object.fromEntries(fields.filter((field) => written.get(field)?.lossy).map((field) => [field.key, valueOf(record, field)])),
  };
}
