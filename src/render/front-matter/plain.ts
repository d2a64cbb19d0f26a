/** The few texts that Holdfast writes without quotes; it writes all others as JSON strings, which YAML reads the same way. */
const PLAIN = /^[A-Za-z][A-Za-z0-9_./@+-]*(?: [A-Za-z0-9_./@(][A-Za-z0-9_./@+()-]*)*$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/;
const RESERVED = new Set(['null', 'true', 'false', 'yes', 'no', 'on', 'off', 'y', 'n']);
export const PLAIN_KEY = /^[a-z][a-z0-9_]*$/;

/** Whether every YAML reader reads the unquoted text as this text. */
export const isPlain = (text: string): boolean => (PLAIN.test(text) && !RESERVED.has(text.toLowerCase())) || INSTANT.test(text);

const NOT_PRINTABLE = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** JSON on one line without characters that a YAML reader may refuse or change. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value).replace(NOT_PRINTABLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

const ENTRY = /^([a-z][a-z0-9_]*):(?: (.+))?$/s;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/;
const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['null', null],
  ['true', true],
  ['false', false],
]);

function parseJsonText(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    return undefined;
  }
}

function readScalar(source: string): unknown {
  if (source.startsWith('"')) return parseJsonText(source);
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

/** A list on one line, with a comma and a blank between items. */
function readFlowList(source: string): unknown {
  const end = source.length - 1;
  if (source[end] !== ']') return undefined;
  const items: unknown[] = [];
  for (let at = 1; at < end;) {
    const comma = source.indexOf(', ', at);
    const stop = source[at] === '"' ? endOfString(source, at) : comma < 0 ? end : comma;
    const item = stop > end ? undefined : readScalar(source.slice(at, stop));
    if (item === undefined || (stop !== end && (!source.startsWith(', ', stop) || stop + 2 >= end))) return undefined;
    items.push(item);
    at = stop + 2;
  }
  return items;
}

function readInline(source: string): unknown {
  if (source.startsWith('[')) return readFlowList(source) ?? parseJsonText(source);
  return source.startsWith('{') ? parseJsonText(source) : readScalar(source);
}

/** An object from lines of the form `key: value`. */
function readObject(lines: readonly string[]): unknown {
  const entries = new Map<string, unknown>();
  for (const line of lines) {
    const [, key, rest] = ENTRY.exec(line) ?? [];
    const value = rest === undefined ? undefined : readInline(rest);
    if (key === undefined || value === undefined || entries.has(key)) return undefined;
    entries.set(key, value);
  }
  return Object.fromEntries(entries);
}

/** The indented lines below a key: an object, a list of values or a list of objects. */
function readBlock(lines: readonly string[]): unknown {
  if (!lines[0]?.startsWith('- ')) return readObject(lines);
  const items: string[][] = [];
  for (const line of lines) {
    if (line.startsWith('- ')) items.push([line.slice(2)]);
    else if (line.startsWith('  ')) items.at(-1)?.push(line.slice(2));
    else return undefined;
  }
  const values = items.map((item) => (ENTRY.test(item[0] ?? '') ? readObject(item) : item.length === 1 ? readInline(item[0] ?? '') : undefined));
  return values.includes(undefined) ? undefined : values;
}

/** Reads front matter in the form that `writeFrontMatter` writes, many times faster than a YAML parser; undefined for any other form. */
export function readPlain(source: string): Map<string, unknown> | undefined {
  const values = new Map<string, unknown>();
  const lines = source.replaceAll('\r\n', '\n').replace(/\n$/, '').split('\n');
  for (let at = 0; at < lines.length;) {
    const [, key, rest] = ENTRY.exec(lines[at] ?? '') ?? [];
    let end = at + 1;
    while (lines[end]?.startsWith('  ')) end += 1;
    const below = lines.slice(at + 1, end).map((line) => line.slice(2));
    const value = below.length > 0 === (rest === undefined) ? (rest === undefined ? readBlock(below) : readInline(rest)) : undefined;
    if (key === undefined || value === undefined || values.has(key)) return undefined;
    values.set(key, value);
    at = end;
  }
  return values;
}
