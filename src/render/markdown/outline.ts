import { blockStates, type LineState } from './blocks.ts';
import type { Field, Shape } from './fields.ts';
import { isBlankLine } from './format.ts';

/** A part of a file: a field's text with the text around it, or text that belongs to no field. Chunks joined are the file. */
export interface Chunk {
  readonly field?: Field;
  /** `preamble` is text under the title that belongs to the main field without having its heading. */
  readonly home: Field['home'] | 'preamble' | 'other';
  readonly before: string;
  readonly body: string;
  readonly after: string;
  /** Its first line in the file, from 1. */
  readonly line: number;
}

interface Line {
  readonly raw: string;
  readonly text: string;
  readonly state: LineState;
  readonly number: number;
}

const HEADING = /^(#{1,2})[ \t]+(?=\S)/;
const LABEL = /^((?:[-*+][ \t]+)?\*\*([^*:]{1,40})(?:\*\*[ \t]*:|:\*\*)[ \t]*)(.*)$/s;

function linesOf(source: string, firstNumber: number): Line[] {
  const raws = source.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const texts = raws.map((raw) => raw.replace(/\r?\n$/, ''));
  const states = blockStates(texts);
  return raws.map((raw, at) => ({ raw, text: texts[at] ?? '', state: states[at] ?? 'plain', number: firstNumber + at }));
}

const join = (lines: readonly Line[]): string => lines.map((line) => line.raw).join('');
const isOutside = (line: Line): boolean => line.state === 'plain' || line.state === 'dangling';
const levelOf = (line: Line): number => (isOutside(line) ? (HEADING.exec(line.text)?.[1]?.length ?? 0) : 0);
const other = (lines: readonly Line[]): Chunk[] =>
  lines.length === 0 ? [] : [{ home: 'other', before: join(lines), body: '', after: '', line: lines[0]?.number ?? 1 }];

/** Splits lines into the blank ones at the start, the text, and the blank ones at the end. */
function splitBlank(lines: readonly Line[]): [Line[], Line[], Line[]] {
  const first = lines.findIndex((line) => !isBlankLine(line.text));
  if (first < 0) return [[...lines], [], []];
  const last = lines.findLastIndex((line) => !isBlankLine(line.text));
  return [lines.slice(0, first), lines.slice(first, last + 1), lines.slice(last + 1)];
}

function inline(field: Field, line: Line, lead: string): Chunk {
  const body = line.text.slice(lead.length).trim();
  const start = line.text.indexOf(body, lead.length);
  return { field, home: field.home, before: line.raw.slice(0, start), body, after: line.raw.slice(start + body.length), line: line.number };
}

export interface OutlineOptions {
  readonly firstLine: number;
  /** Whether the file was written by hand only. Holdfast puts everything under a heading, so that in its files text without one is a note. */
  readonly byHand: boolean;
}

/** Splits the body of a record's file into chunks; the first chunk with a field's name belongs to the field. */
export function outline(source: string, shape: Shape, { firstLine, byHand }: OutlineOptions): Chunk[] {
  const lines = linesOf(source, firstLine);
  const used = new Set<Field>();
  const take: Take = (home, name, fits = () => true) => {
    const field = shape.named(home, name);
    if (!field || used.has(field) || !fits(field)) return undefined;
    used.add(field);
    return field;
  };

  const starts = lines.flatMap((line, at) => (levelOf(line) > 0 ? [at] : []));
  const titleAt = starts[0] !== undefined && levelOf(lines[starts[0]] as Line) === 1 ? starts[0] : undefined;
  const headEnd = (titleAt === undefined ? starts[0] : starts[1]) ?? lines.length;
  const sectionStarts = starts.filter((at) => at >= headEnd);

  const titleLine = titleAt === undefined ? undefined : lines[titleAt];
  const titleField = titleLine && take('title', '');
  const top = titleLine && titleField ? [...other(lines.slice(0, titleAt)), inline(titleField, titleLine, titleLead(titleLine.text, shape.titlePrefix))] : [];
  const head = labels(lines.slice(titleAt === undefined ? 0 : titleAt + 1, headEnd), take);
  const sections = sectionStarts.map((at, index) => sectionChunk(lines.slice(at, sectionStarts[index + 1] ?? lines.length), take));
  const main = byHand ? shape.fields.find((field) => field.key === shape.main && !used.has(field)) : undefined;
  return [...top, ...head.chunks, ...(main ? preamble(head.rest, main) : other(head.rest)), ...sections];
}

function titleLead(text: string, prefix: string): string {
  const lead = HEADING.exec(text)?.[0] ?? '';
  const rest = text.slice(lead.length);
  return prefix !== '' && rest.toLowerCase().startsWith(prefix.toLowerCase()) && rest.length > prefix.length ? lead + rest.slice(0, prefix.length) : lead;
}

type Take = (home: Field['home'], name: string, fits?: (field: Field) => boolean) => Field | undefined;

/** The label lines under a title, and the lines after the last one. */
function labels(lines: readonly Line[], take: Take): { chunks: Chunk[]; rest: Line[] } {
  const chunks: Chunk[] = [];
  let next = 0;
  for (const [at, line] of lines.entries()) {
    const [, lead = '', name = '', value = ''] = (isOutside(line) && LABEL.exec(line.text)) || [];
    if (lead === '') continue;
    const field = take('label', name, (known) => known.missing !== undefined || known.form.parse(value) !== undefined);
    chunks.push(...other(lines.slice(next, at)), ...(field ? [inline(field, line, lead)] : other([line])));
    next = at + 1;
  }
  return { chunks, rest: lines.slice(next) };
}

/** Whether a text has more than comments and blanks. */
function hasContent(text: string): boolean {
  let at = 0;
  for (;;) {
    const start = text.indexOf('<!--', at);
    const end = start < 0 ? -1 : text.indexOf('-->', start);
    if (end < 0) return !isBlankLine(text.slice(at));
    if (!isBlankLine(text.slice(at, start))) return true;
    at = end + 3;
  }
}

function preamble(lines: readonly Line[], field: Field): Chunk[] {
  const [before, body, after] = splitBlank(lines);
  if (!hasContent(join(body))) return other(lines);
  return [...other(before), { field, home: 'preamble', before: '', body: join(body), after: join(after), line: body[0]?.number ?? 1 }];
}

function sectionChunk(lines: readonly Line[], take: Take): Chunk {
  const [first, ...rest] = lines as [Line, ...Line[]];
  const name = first.text.replace(HEADING, '');
  const field = levelOf(first) === 2 ? take('section', name) : undefined;
  if (!field) return { home: 'other', before: join(lines), body: '', after: '', line: first.number };
  const [before, body, after] = splitBlank(rest);
  return {
    field,
    home: 'section',
    before: first.raw + join(body.length === 0 ? [] : before),
    body: join(body),
    after: join(body.length === 0 ? before : after),
    line: first.number,
  };
}
