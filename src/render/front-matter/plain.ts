/** The few YAML words that Holdfast writes without quotes; everything else it writes as a JSON string, which YAML reads alike. */

const PLAIN = /^[A-Za-z][A-Za-z0-9_./@+-]*(?: [A-Za-z0-9_./@(][A-Za-z0-9_./@+()-]*)*$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/;
const RESERVED = new Set(['null', 'true', 'false', 'yes', 'no', 'on', 'off', 'y', 'n']);
export const PLAIN_KEY = /^[a-z][a-z0-9_]*$/;

/** Whether every YAML reader takes the bare text for that same text. */
export const isPlain = (text: string): boolean => (PLAIN.test(text) && !RESERVED.has(text.toLowerCase())) || INSTANT.test(text);

const NOT_PRINTABLE = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** JSON on one line with nothing in it that a YAML reader may refuse or change. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value).replace(NOT_PRINTABLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Reads front matter as `writeFrontMatter` wrote it, many times faster than YAML; undefined for anything else, which is left to YAML. */

const ENTRY = /^([a-z][a-z0-9_]*):(?: (.+))?$/s;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/;
const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['null', null],
  ['true', true],
  ['false', false],
]);

function json(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    return undefined;
  }
}

function scalar(source: string): unknown {
  if (source.startsWith('"')) return json(source);
  if (isPlain(source)) return source;
  return NUMBER.test(source) ? Number(source) : WORDS.get(source);
}

function endOfString(source: string, start: number): number {
  for (let at = start + 1; at < source.length; at += 1) {
    if (source[at] === '\\') at += 1;
    else if (source[at] === '"') return at + 1;
  }
  return source.length;
}

/** A list on one line, its items divided by a comma and a blank. */
function flow(source: string): unknown {
  const end = source.length - 1;
  if (source[end] !== ']') return undefined;
  const items: unknown[] = [];
  for (let at = 1; at < end;) {
    const comma = source.indexOf(', ', at);
    const stop = source[at] === '"' ? endOfString(source, at) : comma < 0 ? end : comma;
    const item = stop > end ? undefined : scalar(source.slice(at, stop));
    if (item === undefined || (stop !== end && (!source.startsWith(', ', stop) || stop + 2 >= end))) return undefined;
    items.push(item);
    at = stop + 2;
  }
  return items;
}

function inline(source: string): unknown {
  if (source.startsWith('[')) return flow(source) ?? json(source);
  return source.startsWith('{') ? json(source) : scalar(source);
}

/** An object from lines of the form `key: value`. */
function object(lines: readonly string[]): unknown {
  const found = new Map<string, unknown>();
  for (const line of lines) {
    const [, key, rest] = ENTRY.exec(line) ?? [];
    const value = rest === undefined ? undefined : inline(rest);
    if (key === undefined || value === undefined || found.has(key)) return undefined;
    found.set(key, value);
  }
  return Object.fromEntries(found);
}

/** The indented lines below a key: an object, a list of values or a list of objects. */
function block(lines: readonly string[]): unknown {
  if (!lines[0]?.startsWith('- ')) return object(lines);
  const items: string[][] = [];
  for (const line of lines) {
    if (line.startsWith('- ')) items.push([line.slice(2)]);
    else if (line.startsWith('  ')) items.at(-1)?.push(line.slice(2));
    else return undefined;
  }
  const values = items.map((item) => (ENTRY.test(item[0] ?? '') ? object(item) : item.length === 1 ? inline(item[0] ?? '') : undefined));
  return values.includes(undefined) ? undefined : values;
}

export function readPlain(source: string): Map<string, unknown> | undefined {
  const values = new Map<string, unknown>();
  const lines = source.replaceAll('\r\n', '\n').replace(/\n$/, '').split('\n');
  for (let at = 0; at < lines.length;) {
    const [, key, rest] = ENTRY.exec(lines[at] ?? '') ?? [];
    let end = at + 1;
    while (lines[end]?.startsWith('  ')) end += 1;
    const below = lines.slice(at + 1, end).map((line) => line.slice(2));
    const value = below.length > 0 === (rest === undefined) ? (rest === undefined ? block(below) : inline(rest)) : undefined;
    if (key === undefined || value === undefined || values.has(key)) return undefined;
    values.set(key, value);
    at = end;
  }
  return values;
}
