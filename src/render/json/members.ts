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
  /** Just behind the closing brace. */
  readonly end: number;
  readonly members: readonly Member[];
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

const SPACE = /[\s\uFEFF]*/y;
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/y;
const SCALAR = /[^\s,\]}]+/y;

const after = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
};

const skipSpace = (text: string, at: number): number => after(SPACE, text, at);

function valueEnd(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return after(STRING, text, start);
  if (first !== '{' && first !== '[') return after(SCALAR, text, start);
  let depth = 0;
  for (let at = start; at < text.length;) {
    const letter = text[at];
    if (letter === '"') {
      at = after(STRING, text, at);
      continue;
    }
    if (letter === '{' || letter === '[') depth += 1;
    else if (letter === '}' || letter === ']') depth -= 1;
    at += 1;
    if (depth === 0) return at;
  }
  return text.length;
}

/** The members of the object at an offset. The text must be valid JSON: `JSON.parse` has seen it before. */
export function objectAt(text: string, offset: number): ObjectSpan | undefined {
  const start = skipSpace(text, offset);
  if (text[start] !== '{') return undefined;
  const members: Member[] = [];
  let at = skipSpace(text, start + 1);
  while (text[at] === '"') {
    const nameStart = at;
    const nameEnd = after(STRING, text, at);
    const valueStart = skipSpace(text, skipSpace(text, nameEnd) + 1);
    const end = valueEnd(text, valueStart);
    members.push({ name: JSON.parse(text.slice(nameStart, nameEnd)) as string, nameStart, nameEnd, start: valueStart, end });
    at = skipSpace(text, end);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return { start, end: at + 1, members };
}

/** The items of the list at an offset; undefined where there is something else. */
export function itemsAt(text: string, offset: number): (Span & { readonly items: readonly Span[] }) | undefined {
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
