import { ok, refuse, type Result } from '../../core/result.ts';

/** One member of a JSON object, by its offsets in the text. */
export interface Member {
  readonly name: string;
  readonly nameStart: number;
  readonly nameEnd: number;
  readonly start: number;
  readonly end: number;
}

export interface ObjectSpan {
  readonly start: number;
  /** The offset after the closing brace. */
  readonly end: number;
  readonly members: readonly Member[];
}

interface Span {
  readonly start: number;
  readonly end: number;
}

export interface ListSpan extends Span {
  readonly items: readonly Span[];
}

const SPACE = /[\s\uFEFF]*/y;
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/y;
const SCALAR = /[^\s,\]}]+/y;

const skip = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
};

const skipSpace = (text: string, at: number): number => skip(SPACE, text, at);

function valueEnd(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return skip(STRING, text, start);
  if (first !== '{' && first !== '[') return skip(SCALAR, text, start);
  let depth = 0;
  for (let at = start; at < text.length;) {
    const letter = text[at];
    if (letter === '"') {
      at = skip(STRING, text, at);
      continue;
    }
    if (letter === '{' || letter === '[') depth += 1;
    else if (letter === '}' || letter === ']') depth -= 1;
    at += 1;
    if (depth === 0) return at;
  }
  return text.length;
}

/** The members of the object at an offset; undefined if there is another value. The text must be valid JSON. */
export function objectAt(text: string, offset: number): ObjectSpan | undefined {
  const start = skipSpace(text, offset);
  if (text[start] !== '{') return undefined;
  const members: Member[] = [];
  let at = skipSpace(text, start + 1);
  while (text[at] === '"') {
    const nameStart = at;
    const nameEnd = skip(STRING, text, at);
    const valueStart = skipSpace(text, skipSpace(text, nameEnd) + 1);
    const end = valueEnd(text, valueStart);
    members.push({ name: JSON.parse(text.slice(nameStart, nameEnd)) as string, nameStart, nameEnd, start: valueStart, end });
    at = skipSpace(text, end);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return { start, end: at + 1, members };
}

/** The items of the list at an offset; undefined if there is another value. The text must be valid JSON. */
export function itemsAt(text: string, offset: number): ListSpan | undefined {
  const start = skipSpace(text, offset);
  if (text[start] !== '[') return undefined;
  const items: Span[] = [];
  let at = skipSpace(text, start + 1);
  while (at < text.length && text[at] !== ']') {
    const end = valueEnd(text, at);
    items.push({ start: at, end });
    at = skipSpace(text, end);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return { start, end: at + 1, items };
}

const splice = (text: string, start: number, end: number, replacement: string): string => text.slice(0, start) + replacement + text.slice(end);

interface JsonStyle {
  readonly eol: string;
  /** One level of indentation. */
  readonly unit: string;
}

export const layoutOf = (text: string): JsonStyle => ({ eol: text.includes('\r\n') ? '\r\n' : '\n', unit: /\n([ \t]+)"/.exec(text)?.[1] ?? '  ' });

export const indentAt = (text: string, offset: number): string => /[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1))?.[0] ?? '';

const onOneLine = (text: string, { start, end, members }: ObjectSpan): boolean => members.length > 0 && !text.slice(start, end).includes('\n');

export const prettyJson = (value: unknown, indent: string, { eol, unit }: JsonStyle): string =>
  JSON.stringify(value, null, unit).replaceAll('\n', `${eol}${indent}`);

/** `{"a": {"b": 1}}` for a path of names and the value at its end. */
const nested = (names: readonly string[], value: unknown): unknown => names.toReversed().reduce<unknown>((inner, name) => ({ [name]: inner }), value);

function insertMember(text: string, object: ObjectSpan, name: string, value: unknown): string {
  const layout = layoutOf(text);
  const last = object.members.at(-1);
  if (last === undefined) {
    const indent = indentAt(text, object.start);
    const inner = indent + layout.unit;
    return splice(text, object.start, object.end, `{${layout.eol}${inner}${JSON.stringify(name)}: ${prettyJson(value, inner, layout)}${layout.eol}${indent}}`);
  }
  const colon = text.slice(last.nameEnd, last.start);
  if (onOneLine(text, object)) {
    const before = object.members.at(-2);
    const comma = before === undefined ? (colon === ':' ? ',' : ', ') : text.slice(before.end, last.nameStart);
    return splice(text, last.end, last.end, `${comma}${JSON.stringify(name)}${colon}${JSON.stringify(value)}`);
  }
  const indent = indentAt(text, last.nameStart);
  return splice(text, last.end, last.end, `,${layout.eol}${indent}${JSON.stringify(name)}${colon}${prettyJson(value, indent, layout)}`);
}

/** The last member of a name, as in `JSON.parse`. */
const findMember = (object: ObjectSpan, name: string): Member | undefined => object.members.findLast((candidate) => candidate.name === name);

const notAnObject = (reason: string): Result<never> =>
  refuse('CONFIG_ERROR', `the file is not a JSON object: ${reason}`, { hint: 'fix the file in an editor; nothing was changed' });

function rootOf(text: string): Result<ObjectSpan> {
  try {
    JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    return notAnObject((cause as Error).message);
  }
  const root = objectAt(text, 0);
  return root === undefined ? notAnObject('it holds something else') : ok(root);
}

/** The text with the value at a path of names set; missing objects on the path are created. Every other byte stays. */
export function setJsonValue(text: string | undefined, names: readonly string[], value: unknown): Result<string> {
  const source = text === undefined || text.trim() === '' ? '{}\n' : text;
  const root = rootOf(source);
  if (!root.ok) return root;
  let object = root.value;
  for (const [depth, name] of names.entries()) {
    const member = findMember(object, name);
    const rest = names.slice(depth + 1);
    if (member === undefined) return ok(insertMember(source, object, name, nested(rest, value)));
    if (rest.length === 0) {
      const written = onOneLine(source, object) ? JSON.stringify(value) : prettyJson(value, indentAt(source, member.nameStart), layoutOf(source));
      return ok(splice(source, member.start, member.end, written));
    }
    const inner = objectAt(source, member.start);
    if (inner === undefined || source[member.start] !== '{') {
      return refuse('CONFIG_ERROR', `${names.slice(0, depth + 1).join('.')} is not an object, so nothing can be set in it`, {
        hint: 'fix the file in an editor; nothing was changed',
      });
    }
    object = inner;
  }
  return ok(source);
}

function removeMember(text: string, object: ObjectSpan, member: Member): string {
  const index = object.members.indexOf(member);
  const next = object.members[index + 1];
  if (next !== undefined) return splice(text, member.nameStart, next.nameStart, '');
  const before = object.members[index - 1];
  return before === undefined ? splice(text, object.start, object.end, '{}') : splice(text, before.end, member.end, '');
}

/** The text without the value at a path of names and without objects that contained nothing else. Every other byte stays. */
export function unsetJsonValue(text: string, names: readonly string[]): Result<string> {
  if (text.trim() === '') return ok(text);
  const root = rootOf(text);
  if (!root.ok) return root;
  let object = root.value;
  let cut: { readonly object: ObjectSpan; readonly member: Member } | undefined;
  for (const [depth, name] of names.entries()) {
    const member = findMember(object, name);
    if (member === undefined) return ok(text);
    if (cut === undefined || object.members.length > 1) cut = { object, member: member };
    if (depth === names.length - 1) break;
    const inner = text[member.start] === '{' ? objectAt(text, member.start) : undefined;
    if (inner === undefined) return ok(text);
    object = inner;
  }
  if (cut === undefined) return ok(text);
  const shorter = removeMember(text, cut.object, cut.member);
  // Remove earlier members of the same name too: `JSON.parse` would return the last of them.
  return cut.object.members.filter(({ name }) => name === cut.member.name).length > 1 ? unsetJsonValue(shorter, names) : ok(shorter);
}
