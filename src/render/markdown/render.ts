import type { MemoryRecord } from '../../core/record/schema.ts';
import { sameValue } from '../../core/value.ts';
import { isAbsent } from '../missing-fields.ts';
import { editFrontMatter } from '../front-matter/edit.ts';
import { FRONT_MATTER_FIELDS } from '../front-matter/read.ts';
import { writeFrontMatter } from '../front-matter/write.ts';
import { frontMatterOf, newBody, EXACT, renderField, type RenderedField, belongsInBody, insertMissing, rewriteChunk, type BodyPart } from './body-parts.ts';
import { RECORD_SHAPES, valueOf, type Field } from './fields.ts';
import { isBlankLine } from './format.ts';
import type { MarkdownLayout } from './layout.ts';
import type { Chunk } from './outline.ts';
import { parseMarkdown } from './parse.ts';

/** Fields to write again; `careful` also escapes closed blocks, for a file whose other text leaves one open. */
type Plan = ReadonlyMap<Field, 'written' | 'careful'>;

/** Candidate texts of the changed file, the one with the fewest changes first. The caller answers each with the record that it parses to, if any. */
function* rewrites(record: MemoryRecord, layout: MarkdownLayout): Generator<string, void, MemoryRecord | undefined> {
  const { fields } = RECORD_SHAPES[record.category];
  const differing = (other: MemoryRecord | undefined): Field[] => fields.filter((field) => !other || !sameValue(valueOf(other, field), valueOf(record, field)));
  const changed = [...differing(layout.record), ...withoutHome(layout)];
  const first = yield assemble(record, layout, new Map(changed.map((field) => [field, 'written'])), true);
  const second = yield assemble(record, layout, new Map([...changed, ...differing(first)].map((field) => [field, 'written'])), false);
  yield assemble(record, layout, new Map([...changed, ...differing(first), ...differing(second)].map((field) => [field, 'careful'])), false);
  yield assemble(record, layout, new Map(fields.map((field) => [field, 'careful'])), false);
  const { text, inBody, exact } = newBody(record, true);
  yield frontMatterText(record, layout, inBody, exact, false) + text.replaceAll('\n', layout.eol) + manualText(layout);
}

/** Fields that were read from text without a heading or from the file name: the first change gives them a heading. */
function withoutHome({ chunks, record, values }: MarkdownLayout): Field[] {
  const placed = new Set(chunks.filter((chunk) => chunk.home !== 'preamble').map((chunk) => chunk.field));
  const preambles = chunks.flatMap((chunk) => (chunk.home === 'preamble' && chunk.field ? [chunk.field] : []));
  return [...preambles, ...RECORD_SHAPES[record.category].fields.filter((field) => field.home === 'title' && !placed.has(field) && !values.has('title'))];
}

const raw = (chunk: Chunk): string => chunk.before + chunk.body + chunk.after;
const SECTION = /^##?[ \t]+(.*)/;

/** Manual text for a body that is written again as a whole: sections stay, renamed if a field has their name, and the rest becomes notes. */
function manualText({ chunks, record, eol }: MarkdownLayout): string {
  const shape = RECORD_SHAPES[record.category];
  const others = chunks.filter((chunk) => chunk.home === 'other').map(raw);
  const sections = others
    .filter((text) => SECTION.test(text))
    .map((text) => (shape.named('section', SECTION.exec(text)?.[1] ?? '') ? text.replace(/(?=\r?\n|$)/, ' (other)') : text));
  const notes = others.filter((text) => !SECTION.test(text) && !isBlankLine(text));
  return [...sections, ...(notes.length === 0 ? [] : [`## Notes${eol}`, ...notes])].map((text) => eol + text).join('');
}

function assemble(record: MemoryRecord, layout: MarkdownLayout, plan: Plan, keepComments: boolean): string {
  const shape = RECORD_SHAPES[record.category];
  const rendered = new Map<Field, RenderedField>();
  for (const [field, how] of plan) {
    const value = valueOf(record, field);
    if (belongsInBody(field, value) && !isInFrontMatter(field, layout)) rendered.set(field, renderField(field, value, how === 'careful'));
  }
  const parts = layout.chunks.flatMap((chunk): BodyPart[] => {
    const { field } = chunk;
    if (!field || !plan.has(field)) return [{ home: chunk.home, text: raw(chunk), ...(field && { field }) }];
    const made = rendered.get(field);
    const stays = made !== undefined && chunk.home !== 'preamble';
    return stays ? [{ field, home: chunk.home, text: rewriteChunk(chunk, made.text, plan.get(field) === 'careful', shape, layout.eol) }] : [];
  });
  const body = insertMissing(parts, rendered, shape, layout.eol);
  const inBody = new Set(body.flatMap(({ field }) => (field ? [field.key] : [])));
  return frontMatterText(record, layout, inBody, exactValues(layout, rendered, plan), keepComments) + body.map((part) => part.text).join('');
}

/** Whether the file has a field in its front matter, which overrides the body. */
const isInFrontMatter = (field: Field, { values, chunks }: MarkdownLayout): boolean => {
  const inBody = chunks.some((chunk) => chunk.field === field);
  if (field.key === 'created_at') return !inBody;
  return field.of === 'record' && values.has(field.key) && (field.key !== 'title' || !inBody);
};

function exactValues(layout: MarkdownLayout, rendered: ReadonlyMap<Field, RenderedField>, plan: Plan): Record<string, unknown> {
  const old = (layout.values.get(EXACT) ?? {}) as Readonly<Record<string, unknown>>;
  const { record } = layout;
  const absent = RECORD_SHAPES[record.category].fields.filter(
    (field) => !plan.has(field) && Object.hasOwn(old, field.key) && sameValue(old[field.key], valueOf(record, field)),
  );
  return Object.fromEntries([
    ...absent.map((field) => [field.key, old[field.key]]),
    ...[...rendered].filter(([, { lossy }]) => lossy).map(([field, { value }]) => [field.key, value]),
  ]);
}

/** Everything up to the body. The first change of a file also adds the values that were derived from its path. */
function frontMatterText(
  record: MemoryRecord,
  layout: MarkdownLayout,
  inBody: ReadonlySet<string>,
  exact: Readonly<Record<string, unknown>>,
  keepComments: boolean,
): string {
  const { frame, values, record: base, eol } = layout;
  const entries = frontMatterOf(record, inBody, exact);
  const title = values.get('title');
  if (title !== undefined) entries.set('title', !inBody.has('title') || title === base.title ? record.title : title);
  if (frame.yaml === undefined) {
    const gap = /^\s*?\n/.test(frame.body) || frame.body === '' ? '' : '\n';
    return frame.open + `---\n${writeFrontMatter([...entries])}---\n${gap}`.replaceAll('\n', eol);
  }
  const oldBody = new Set(layout.chunks.flatMap(({ field }) => (field && !isInFrontMatter(field, layout) ? [field.key] : [])));
  const unedited = writeFrontMatter([...frontMatterOf(base, oldBody, (values.get(EXACT) ?? {}) as Record<string, unknown>)]);
  if (frame.yaml.replaceAll('\r\n', '\n') === unedited) return frame.open + writeFrontMatter([...entries]).replaceAll('\n', eol) + frame.close;
  const changes = new Map<string, unknown>();
  const fields = base as unknown as Readonly<Record<string, unknown>>;
  for (const key of [...FRONT_MATTER_FIELDS, 'title', EXACT]) {
    const value = entries.get(key);
    const old = key === EXACT ? values.get(EXACT) : fields[key];
    const isNew = value !== undefined && (!values.has(key) || !sameValue(old, value));
    const isGone = value === undefined && !isAbsent(key, values.get(key));
    if (isNew || isGone) changes.set(key, value);
  }
  return frame.open + editFrontMatter(frame.yaml, changes, { eol, keepComments }) + frame.close;
}

/** The Markdown file of a record; with the layout of its file, only changed parts are written again. */
export function renderMarkdown(record: MemoryRecord, layout?: MarkdownLayout): string {
  const plain = JSON.parse(JSON.stringify(record)) as MemoryRecord;
  if (layout && sameValue(layout.record, plain)) return layout.source;
  const texts = layout?.record.category === plain.category ? rewrites(plain, layout) : newFiles(plain);
  // A text is returned only if it parses back to the record.
  for (let next = texts.next(); !next.done;) {
    const parsed = parseMarkdown(next.value, { category: plain.category, id: plain.id, time: plain.updated_at });
    const back = parsed.ok ? parsed.value.record : undefined;
    if (sameValue(back, plain)) return next.value;
    next = texts.next(back);
  }
  throw new Error(`record ${record.id} cannot be written as Markdown: it is not a valid ${record.category}`);
}

/** New files of a record, the more readable one first. */
function* newFiles(record: MemoryRecord): Generator<string, void, MemoryRecord | undefined> {
  for (const careful of [false, true]) {
    const { text, inBody, exact } = newBody(record, careful);
    yield `---\n${writeFrontMatter([...frontMatterOf(record, inBody, exact)])}---\n${text}`;
  }
}
