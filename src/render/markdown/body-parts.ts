import { sameValue } from '../../core/value.ts';
import { type Field, RECORD_SHAPES, valueOf, type Shape } from './fields.ts';
import { trimBlank } from './format.ts';
import type { MemoryRecord } from '../../core/record/schema.ts';
import { FRONT_MATTER_FIELDS } from '../front-matter/read.ts';
import type { Chunk } from './outline.ts';

/**
 * Front matter may have a key `exact` with the values that Markdown cannot show exactly (line ends, control characters, blanks at an edge).
 * Such a value counts only while the body equals its rendering, so that a manual edit of the body always wins and no value can hide here.
 */
export const EXACT = 'exact';

export interface RenderedField {
  readonly value: unknown;
  readonly text: string;
  /** Whether reading the text gives another value. */
  readonly lossy: boolean;
}

export function renderField(field: Field, value: unknown, careful: boolean): RenderedField {
  const text = field.form.render(value, careful);
  return { value, text, lossy: !sameValue(field.form.parse(text), value) };
}

/** The value of a field: the exact one if the text is still its rendering, else the text's own; undefined if the text has no valid value. */
export function readField(field: Field, text: string, exact: Readonly<Record<string, unknown>>): unknown {
  const exactValue = Object.hasOwn(exact, field.key) ? exact[field.key] : undefined;
  const isStillExact =
    exactValue !== undefined &&
    field.form.accepts(exactValue) &&
    [false, true].some((careful) => trimBlank(field.form.render(exactValue, careful)) === trimBlank(text));
  return isStillExact ? exactValue : field.form.parse(text);
}

const titleLine = (text: string, shape: Shape): string => `# ${shape.titlePrefix}${text}\n`;
const labelLine = (field: Field, text: string): string => `**${field.name}**:${text === '' ? '' : ` ${text}`}\n`;
const sectionLines = (field: Field, text: string): string => `## ${field.name}\n${text === '' ? '' : `${text}\n`}`;

/** Whether a field is written in the body; an empty list of related files is not. */
export const belongsInBody = (field: Field, value: unknown): boolean =>
  value !== undefined && (field.key !== 'related_files' || (Array.isArray(value) && value.length > 0));

/** The front matter of a record, in order; the values of `exact` come last. */
export function frontMatterOf(record: MemoryRecord, inBody: ReadonlySet<string>, exact: Readonly<Record<string, unknown>>): Map<string, unknown> {
  const fields = record as unknown as Readonly<Record<string, unknown>>;
  const keys = FRONT_MATTER_FIELDS.filter((key) => fields[key] !== undefined && !(key === 'related_files' && inBody.has(key)));
  return new Map([
    ...keys.map((key): [string, unknown] => [key, fields[key]]),
    ...(Object.keys(exact).length === 0 ? [] : [[EXACT, exact] as [string, unknown]]),
  ]);
}

export interface NewBody {
  readonly text: string;
  readonly inBody: ReadonlySet<string>;
  readonly exact: Readonly<Record<string, unknown>>;
}

/** A body without manual edits. */
export function newBody(record: MemoryRecord, careful: boolean): NewBody {
  const shape = RECORD_SHAPES[record.category];
  const fields = shape.fields.filter((field) => belongsInBody(field, valueOf(record, field)));
  const rendered = new Map(fields.map((field): [Field, RenderedField] => [field, renderField(field, valueOf(record, field), careful)]));
  const part = (home: Field['home'], line: (field: Field, text: string) => string): string[] =>
    fields.filter((field) => field.home === home).map((field) => line(field, rendered.get(field)?.text ?? ''));
  const labels = part('label', labelLine).join('');
  return {
    text: `\n${[...part('title', (_, text) => titleLine(text, shape)), ...(labels === '' ? [] : [labels]), ...part('section', sectionLines)].join('\n')}`,
    inBody: new Set(fields.map((field) => field.key)),
    exact: Object.fromEntries(fields.filter((field) => rendered.get(field)?.lossy).map((field) => [field.key, valueOf(record, field)])),
  };
}

/** A part of a file's body that is being assembled. */
export interface BodyPart {
  readonly field?: Field;
  readonly home: Chunk['home'];
  readonly text: string;
}

const withLineEnd = (text: string, eol: string): string => (text === '' || text.endsWith('\n') ? text : text + eol);

/** A field's chunk with another text; the rest of the chunk stays. */
export function rewriteChunk(chunk: Chunk, text: string, careful: boolean, shape: Shape, eol: string): string {
  const body = text.replaceAll('\n', eol);
  const { before, after } = chunk;
  if (chunk.home === 'title') return careful ? titleLine(text, shape).replaceAll('\n', eol) : before + body + after;
  if (chunk.home === 'label') return before + (body === '' || /[ \t]$/.test(before) ? '' : ' ') + body + after;
  if (body === '') return before + after;
  const lacksLineEnd = chunk.body !== '' && !chunk.body.endsWith('\n');
  return withLineEnd(before, eol) + body + (lacksLineEnd ? '' : eol) + after;
}

const startsSection = ({ home, text }: BodyPart): boolean => home === 'section' || (home === 'other' && /^##?[ \t]/.test(text));

/** Adds the fields that the file does not have yet, each where a new file would have it. */
export function insertMissing(parts: readonly BodyPart[], renderedFields: ReadonlyMap<Field, RenderedField>, shape: Shape, eol: string): BodyPart[] {
  const result = [...parts];
  for (const [index, field] of shape.fields.entries()) {
    const rendered = renderedFields.get(field);
    if (!rendered || result.some((one) => one.field === field)) continue;
    const earlier = shape.fields
      .slice(0, index)
      .findLast(({ home, key }) => home === field.home && result.some((one) => one.home === home && one.field?.key === key));
    const at = earlier ? result.findIndex((one) => one.field === earlier) + 1 : placeOf(field, result);
    result.splice(at, 0, { field, home: field.home, text: withBlankLines(field, rendered.text, shape, result, at).replaceAll('\n', eol) });
    const previous = result[at - 1];
    if (previous) result[at - 1] = { ...previous, text: withLineEnd(previous.text, eol) };
  }
  return result;
}

function placeOf(field: Field, parts: readonly BodyPart[]): number {
  if (field.home === 'title') return 0;
  const section = parts.findIndex(startsSection);
  if (field.home === 'section') return section < 0 ? parts.length : section;
  const label = parts.findIndex((one) => one.home === 'label');
  return label >= 0 ? label : parts.findIndex((one) => one.home === 'title') + 1;
}

/** A new part with the blank lines that separate it from its neighbours. */
function withBlankLines(field: Field, text: string, shape: Shape, parts: readonly BodyPart[], at: number): string {
  const before = parts
    .slice(0, at)
    .map((one) => one.text)
    .join('');
  const after = parts
    .slice(at)
    .map((one) => one.text)
    .join('');
  const gapAfter = after === '' || /^\r?\n/.test(after) ? '' : '\n';
  if (field.home === 'title') return titleLine(text, shape) + gapAfter;
  const gapBefore = before === '' || /\n\r?\n$/.test(before) ? '' : '\n';
  if (field.home === 'section') return gapBefore + sectionLines(field, text) + gapAfter;
  const [joinsBefore, joinsAfter] = [parts[at - 1]?.home === 'label', /^(?:[-*+][ \t]+)?\*\*/.test(after)];
  return (joinsBefore ? '' : gapBefore) + labelLine(field, text) + (joinsAfter ? '' : gapAfter);
}
