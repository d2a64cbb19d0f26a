import type { MemoryRecord } from '../../core/record/schema.ts';
import { sameValue } from '../../core/value.ts';
import { isLeftEmpty } from '../complete.ts';
import { editFrontMatter } from '../front-matter/edit.ts';
import { FRONT_MATTER_FIELDS } from '../front-matter/read.ts';
import { writeFrontMatter } from '../front-matter/write.ts';
import { frontMatterOf, newBody, EXACT, writtenOf, type RenderedField, standsInBody, insertMissing, replaced, type BodyPart } from './body-parts.ts';
import { RECORD_SHAPES, valueOf, type Field } from './fields.ts';
import { isBlankLine } from './format.ts';
import type { MarkdownLayout } from './layout.ts';
import type { Chunk } from './outline.ts';
import { parseMarkdown } from './parse.ts';

/** Fields to write anew; `careful` ones are also kept from meeting a block that a person left open. */
type Plan = ReadonlyMap<Field, 'written' | 'careful'>;

/** Texts of the changed file, the one that keeps most first; each is answered with the record that it reads as, if any. */
function* rewrites(record: MemoryRecord, layout: MarkdownLayout): Generator<string, void, MemoryRecord | undefined> {
  const { fields } = RECORD_SHAPES[record.category];
  const differing = (other: MemoryRecord | undefined): Field[] => fields.filter((field) => !other || !sameValue(valueOf(other, field), valueOf(record, field)));
  const changed = [...differing(layout.record), ...homeless(layout)];
  const first = yield assembled(record, layout, new Map(changed.map((field) => [field, 'written'])), true);
  const second = yield assembled(record, layout, new Map([...changed, ...differing(first)].map((field) => [field, 'written'])), false);
  yield assembled(record, layout, new Map([...changed, ...differing(first), ...differing(second)].map((field) => [field, 'careful'])), false);
  yield assembled(record, layout, new Map(fields.map((field) => [field, 'careful'])), false);
  const { text, inBody, exact } = newBody(record, true);
  yield frontOf(record, layout, inBody, exact, false) + text.replaceAll('\n', layout.eol) + othersOf(layout);
}

/** Fields that were read from text without a heading, or from the name of the file: with the first change they get their place. */
function homeless({ chunks, record, values }: MarkdownLayout): Field[] {
  const held = new Set(chunks.filter((chunk) => chunk.home !== 'preamble').map((chunk) => chunk.field));
  const preambles = chunks.flatMap((chunk) => (chunk.home === 'preamble' && chunk.field ? [chunk.field] : []));
  return [...preambles, ...RECORD_SHAPES[record.category].fields.filter((field) => field.home === 'title' && !held.has(field) && !values.has('title'))];
}

const raw = (chunk: Chunk): string => chunk.before + chunk.body + chunk.after;
const SECTION = /^##?[ \t]+(.*)/;

/** A person's own text, for a body that has to be laid out anew: sections as they are unless a field is called so, the rest as notes. */
function othersOf({ chunks, record, eol }: MarkdownLayout): string {
  const shape = RECORD_SHAPES[record.category];
  const others = chunks.filter((chunk) => chunk.home === 'other').map(raw);
  const sections = others
    .filter((text) => SECTION.test(text))
    .map((text) => (shape.named('section', SECTION.exec(text)?.[1] ?? '') ? text.replace(/(?=\r?\n|$)/, ' (other)') : text));
  const notes = others.filter((text) => !SECTION.test(text) && !isBlankLine(text));
  return [...sections, ...(notes.length === 0 ? [] : [`## Notes${eol}`, ...notes])].map((text) => eol + text).join('');
}

function assembled(record: MemoryRecord, layout: MarkdownLayout, plan: Plan, keepComments: boolean): string {
  const shape = RECORD_SHAPES[record.category];
  const written = new Map<Field, RenderedField>();
  for (const [field, how] of plan) {
    const value = valueOf(record, field);
    if (standsInBody(field, value) && !isHeldInFront(field, layout)) written.set(field, writtenOf(field, value, how === 'careful'));
  }
  const parts = layout.chunks.flatMap((chunk): BodyPart[] => {
    const { field } = chunk;
    if (!field || !plan.has(field)) return [{ home: chunk.home, text: raw(chunk), ...(field && { field }) }];
    const made = written.get(field);
    const stays = made !== undefined && chunk.home !== 'preamble';
    return stays ? [{ field, home: chunk.home, text: replaced(chunk, made.text, plan.get(field) === 'careful', shape, layout.eol) }] : [];
  });
  const body = insertMissing(parts, written, shape, layout.eol);
  const inBody = new Set(body.flatMap(({ field }) => (field ? [field.key] : [])));
  return frontOf(record, layout, inBody, exactOf(layout, written, plan), keepComments) + body.map((part) => part.text).join('');
}

/** Fields that this file says in its front matter, whatever the body says beside it. */
const isHeldInFront = (field: Field, { values, chunks }: MarkdownLayout): boolean => {
  const inBody = chunks.some((chunk) => chunk.field === field);
  if (field.key === 'created_at') return !inBody;
  return field.of === 'record' && values.has(field.key) && (field.key !== 'title' || !inBody);
};

function exactOf(layout: MarkdownLayout, written: ReadonlyMap<Field, RenderedField>, plan: Plan): Record<string, unknown> {
  const old = (layout.values.get(EXACT) ?? {}) as Readonly<Record<string, unknown>>;
  const { record } = layout;
  const absent = RECORD_SHAPES[record.category].fields.filter(
    (field) => !plan.has(field) && Object.hasOwn(old, field.key) && sameValue(old[field.key], valueOf(record, field)),
  );
  return Object.fromEntries([
    ...absent.map((field) => [field.key, old[field.key]]),
    ...[...written].filter(([, { lossy }]) => lossy).map(([field, { value }]) => [field.key, value]),
  ]);
}

/** Everything up to the body. A file that gets its first change also gets what was only guessed from its place. */
function frontOf(
  record: MemoryRecord,
  layout: MarkdownLayout,
  inBody: ReadonlySet<string>,
  exact: Readonly<Record<string, unknown>>,
  keepComments: boolean,
): string {
  const { frame, values, record: base, eol } = layout;
  const wanted = frontMatterOf(record, inBody, exact);
  const title = values.get('title');
  if (title !== undefined) wanted.set('title', !inBody.has('title') || title === base.title ? record.title : title);
  if (frame.yaml === undefined) {
    const gap = /^\s*?\n/.test(frame.body) || frame.body === '' ? '' : '\n';
    return frame.open + `---\n${writeFrontMatter([...wanted])}---\n${gap}`.replaceAll('\n', eol);
  }
  const oldBody = new Set(layout.chunks.flatMap(({ field }) => (field && !isHeldInFront(field, layout) ? [field.key] : [])));
  const untouched = writeFrontMatter([...frontMatterOf(base, oldBody, (values.get(EXACT) ?? {}) as Record<string, unknown>)]);
  if (frame.yaml.replaceAll('\r\n', '\n') === untouched) return frame.open + writeFrontMatter([...wanted]).replaceAll('\n', eol) + frame.close;
  const changes = new Map<string, unknown>();
  const held = base as unknown as Readonly<Record<string, unknown>>;
  for (const key of [...FRONT_MATTER_FIELDS, 'title', EXACT]) {
    const value = wanted.get(key);
    const old = key === EXACT ? values.get(EXACT) : held[key];
    const isNew = value !== undefined && (!values.has(key) || !sameValue(old, value));
    const isGone = value === undefined && !isLeftEmpty(key, values.get(key));
    if (isNew || isGone) changes.set(key, value);
  }
  return frame.open + editFrontMatter(frame.yaml, changes, { eol, keepComments }) + frame.close;
}

/** The Markdown file of a record; with the layout of the file it came from, only what changed is written anew. */
export function renderMarkdown(record: MemoryRecord, layout?: MarkdownLayout): string {
  const plain = JSON.parse(JSON.stringify(record)) as MemoryRecord;
  if (layout && sameValue(layout.record, plain)) return layout.source;
  const texts = layout?.record.category === plain.category ? rewrites(plain, layout) : files(plain);
  // Nothing is handed out that does not read back as the record.
  for (let next = texts.next(); !next.done;) {
    const parsed = parseMarkdown(next.value, { category: plain.category, id: plain.id, time: plain.updated_at });
    const back = parsed.ok ? parsed.value.record : undefined;
    if (sameValue(back, plain)) return next.value;
    next = texts.next(back);
  }
  throw new Error(`record ${record.id} cannot be written as Markdown: it is not a valid ${record.category}`);
}

/** New files of a record, the more readable one first. */
function* files(record: MemoryRecord): Generator<string, void, MemoryRecord | undefined> {
  for (const careful of [false, true]) {
    const { text, inBody, exact } = newBody(record, careful);
    yield `---\n${writeFrontMatter([...frontMatterOf(record, inBody, exact)])}---\n${text}`;
  }
}
