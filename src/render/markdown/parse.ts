import { epochOf } from '../../core/instant.ts';
import { isCategory, type Category } from '../../core/record/category.ts';
import { validate } from '../../core/record/draft.ts';
import { TITLE_LIMIT } from '../../core/record/schema.ts';
import { err, ok, refuse, type Result } from '../../core/result.ts';
import { fillMissing, isAbsent } from '../missing-fields.ts';
import { eolOf, checkSource, type ParsedRecord, type RecordHint } from '../record.ts';
import { FRONT_MATTER_FIELDS, readFrontMatter } from '../front-matter/read.ts';
import { EXACT, readField } from './body-parts.ts';
import { RECORD_SHAPES, type Field, type Shape } from './fields.ts';
import { frameOf, type MarkdownFrame, type MarkdownLayout } from './layout.ts';
import { outline, type Chunk } from './outline.ts';
import { isBlankLine } from './format.ts';

type Values = ReadonlyMap<string, unknown>;
interface Body {
  readonly content: Record<string, unknown>;
  readonly record: Record<string, unknown>;
}

export function parseMarkdown(source: string, hint: RecordHint): Result<ParsedRecord<MarkdownLayout>> {
  const checked = checkSource(source);
  if (!checked.ok) return checked;
  const frame = frameOf(source);
  if (!frame) return refuse('READ_ERROR', 'line 1: the front matter is not closed', { hint: 'close it with a line of three hyphens' });
  const values = frame.yaml === undefined ? ok<Values>(new Map()) : readFrontMatter(frame.yaml, 2);
  if (!values.ok) return values;
  const category = categoryOf(values.value, hint, frame);
  if (!category.ok) return category;
  const shape = RECORD_SHAPES[category.value];
  const chunks = outline(frame.body, shape, { firstLine: frame.bodyLine, byHand: !values.value.has('schema_version') });
  const body = bodyOf(chunks, values.value);
  if (!body.ok) return body;
  const { draft, filled } = withMissing(category.value, values.value, body.value, hint);
  const record = validate(category.value, draft);
  if (!record.ok) return err({ ...record.error, message: withLine(record.error.fields ?? [], record.error.message, frame, chunks, shape) });
  const layout: MarkdownLayout = { form: 'markdown', source, record: record.value, eol: eolOf(source), frame, values: values.value, chunks };
  return ok({ record: record.value, layout, filled });
}

function categoryOf(values: Values, hint: RecordHint, frame: MarkdownFrame): Result<Category> {
  const named = values.get('category') ?? hint.category;
  if (isCategory(named)) return ok(named);
  return refuse('VALIDATION_ERROR', `line ${keyLine(frame, 'category')}: ${JSON.stringify(named)} is not a category`, { fields: ['category'] });
}

/** The fields of the body. */
function bodyOf(chunks: readonly Chunk[], values: Values): Result<Body> {
  const exact = values.get(EXACT) ?? {};
  if (typeof exact !== 'object' || Array.isArray(exact))
    return refuse('READ_ERROR', `the front matter's \`${EXACT}\` is not an object`, { hint: 'remove the key' });
  const body: Body = { content: {}, record: {} };
  for (const { field, body: raw, line } of chunks) {
    if (!field) continue;
    const text = raw.replaceAll('\r\n', '\n');
    const value = readField(field, text, exact as Readonly<Record<string, unknown>>);
    if (value === undefined) {
      return refuse('VALIDATION_ERROR', `line ${line}: ${field.name} is ${JSON.stringify(text.slice(0, 60))}, not ${field.form.expected ?? 'a value'}`, {
        fields: [pathOf(field)],
      });
    }
    body[field.of][field.key] = value;
  }
  return ok(body);
}

const pathOf = (field: Field): string => (field.of === 'content' ? `content.${field.key}` : field.key);

/** The whole record. Missing fields of a hand-written file are derived from its path and text. */
function withMissing(category: Category, values: Values, body: Body, hint: RecordHint): { draft: Record<string, unknown>; filled: string[] } {
  const draft: Record<string, unknown> = { category };
  for (const key of FRONT_MATTER_FIELDS) {
    const value = values.has(key) ? values.get(key) : body.record[key];
    if (!isAbsent(key, value)) draft[key] = value;
  }
  const updated = draft['updated_at'];
  const filled = fillMissing(draft, hint, typeof updated === 'string' && epochOf(updated) !== undefined ? updated : hint.time);
  const title = body.record['title'] ?? values.get('title');
  if (typeof title !== 'string') filled.push('title');
  draft['title'] = typeof title === 'string' ? title : hint.id.replaceAll('-', ' ');

  const { content } = body;
  for (const field of RECORD_SHAPES[category].fields) {
    if (field.of !== 'content' || field.missing === undefined || content[field.key] !== undefined) continue;
    content[field.key] = field.missing({ title: String(draft['title']), content });
    filled.push(pathOf(field));
  }
  draft['content'] = content;
  return { draft, filled };
}

function keyLine(frame: MarkdownFrame, key: string): number {
  const at = (frame.yaml ?? '').split('\n').findIndex((line) => line.startsWith(`${key}:`) || line.startsWith(`"${key}":`));
  return at < 0 ? 1 : at + 2;
}

/** Adds the line of an invalid field to a message, or names the missing heading. */
function withLine(fields: readonly string[], message: string, frame: MarkdownFrame, chunks: readonly Chunk[], shape: Shape): string {
  const path = fields[0] ?? '';
  const key = path.replace(/^content\./, '').split('.')[0] ?? '';
  const field = shape.fields.find((candidate) => candidate.key === key && (candidate.of === 'content') === path.startsWith('content.'));
  const chunk = chunks.find((candidate) => candidate.field !== undefined && candidate.field === field);
  const line = chunk?.line ?? (path.startsWith('content.') ? frame.bodyLine : keyLine(frame, key));
  if (field?.home === 'title' && chunk) return `line ${line}: the title has ${chunk.body.length} characters, more than ${TITLE_LIMIT}`;
  if (field?.home !== 'section' || (chunk && !isBlankLine(chunk.body))) return `line ${line}: ${message}`;
  return `line ${line}: ${chunk ? `\`## ${field.name}\` is empty` : `there is no \`## ${field.name}\``}`;
}
