import { isObject, type Json } from '../../core/value.ts';

export const objectOf = (value: unknown): Json | undefined => (isObject(value) ? value : undefined);

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const objectsOf = (value: unknown): readonly Json[] => listOf(value).filter(isObject);

export const stringOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** The value of a JSON text; undefined if it is not JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An identifier, which some writers give as a number. */
export const idOf = (value: unknown): string | undefined => (typeof value === 'number' && Number.isFinite(value) ? String(value) : stringOf(value));

const SECONDS_UNTIL = 100_000_000_000;

/** A time in ISO 8601, UTC, from text or from a number of seconds or milliseconds. */
export function instantOf(value: unknown): string | undefined {
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value)) return value;
  const epoch = typeof value === 'number' ? (value < SECONDS_UNTIL ? value * 1000 : value) : typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isFinite(epoch) && Math.abs(epoch) <= 8.64e15 ? new Date(epoch).toISOString() : undefined;
}

/** The text of a string or of a list of text blocks; with `mark`, images and other blocks become their type in brackets. */
export function contentText(content: unknown, mark = false): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return stringOf(objectOf(content)?.['text']) ?? '';
  const texts: string[] = [];
  for (const block of content) {
    const text = typeof block === 'string' ? block : objectOf(block)?.['text'];
    if (typeof text === 'string') texts.push(text);
    else if (mark && typeof objectOf(block)?.['type'] === 'string') texts.push(`[${String(objectOf(block)?.['type'])}]`);
  }
  return texts.join('\n');
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;

/** Replaces the middle of a long text by a note: two thirds of the limit come from the head, the rest from the tail, cut at a line end if one is near. */
export function cutMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = atLineEnd(text, Math.floor((limit * 2) / 3), limit >> 3);
  const tail = atLineStart(text, text.length - (limit - Math.floor((limit * 2) / 3)), limit >> 3);
  return `${text.slice(0, head)}\n[… ${tail - head} characters cut …]\n${text.slice(tail)}`;
}

function atLineEnd(text: string, at: number, slack: number): number {
  const newline = text.lastIndexOf('\n', at);
  if (newline > at - slack) return newline;
  return isHighSurrogate(text.charCodeAt(at - 1)) ? at - 1 : at;
}

function atLineStart(text: string, at: number, slack: number): number {
  const newline = text.indexOf('\n', at);
  if (newline >= 0 && newline < at + slack) return newline + 1;
  return isHighSurrogate(text.charCodeAt(at - 1)) ? at + 1 : at;
}

const MAX_UNCLOSED = 16;

/** A pattern that matches the opening tags of blocks to drop, made from a pattern of their names. */
export const openingOf = (tags: string): RegExp => new RegExp(`<(${tags})(?:\\s[^>]*)?>`, 'g');

/** A text without its blocks `<tag …>…</tag>`. Takes linear time: a tag that is never closed is searched for once, and its opening stays. */
export function dropBlocks(text: string, opening: RegExp): string {
  if (!text.includes('</')) return text;
  opening.lastIndex = 0;
  const unclosed = new Set<string>();
  let out = '';
  let from = 0;
  for (let match = opening.exec(text); match !== null && unclosed.size < MAX_UNCLOSED; match = opening.exec(text)) {
    const tag = match[1] ?? '';
    const close = unclosed.has(tag) ? -1 : text.indexOf(`</${tag}>`, opening.lastIndex);
    if (close < 0) {
      unclosed.add(tag);
      continue;
    }
    out += text.slice(from, match.index);
    from = close + tag.length + 3;
    opening.lastIndex = from;
  }
  return from === 0 ? text : out + text.slice(from);
}

/** The text between two marks; empty if one of them is missing. */
export function between(text: string, open: string, close: string): string {
  const start = text.indexOf(open);
  const end = start < 0 ? -1 : text.indexOf(close, start + open.length);
  return end < 0 ? '' : text.slice(start + open.length, end);
}

/** The text before a mark, or the whole text without one. */
export function textBefore(text: string, mark: string): string {
  const at = text.indexOf(mark);
  return at < 0 ? text : text.slice(0, at);
}

/** The text after the last occurrence of a mark, or the whole text without one. */
export function textAfter(text: string, mark: string): string {
  const at = text.lastIndexOf(mark);
  return at < 0 ? text : text.slice(at + mark.length);
}
