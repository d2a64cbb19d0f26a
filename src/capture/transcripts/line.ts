import { MAX_RECORD, type SkipReason } from './event.ts';
import { jsonOf } from './value.ts';

/** The values of one line: usually one; several if a newline was lost; none, with the reason, if it is broken. */
export interface ParsedLine {
  readonly values: readonly unknown[];
  readonly problem?: SkipReason;
  readonly repaired?: boolean;
}

const RECORD_START = /\{"(?:parentUuid|logicalParentUuid|isSidechain|type|sessionId|uuid|timestamp|id|project|session_id)":/g;
const MAX_TRIES = 16;
const NOTHING: ParsedLine = { values: [] };

export function parseLine(line: string): ParsedLine {
  if (line.length > MAX_RECORD) return { values: [], problem: 'too-long' };
  const value = jsonOf(line);
  return value === undefined ? parseDamaged(line) : { values: [value] };
}

function parseDamaged(line: string): ParsedLine {
  const text = line.replace(/^\uFEFF/, '').trim();
  if (text === '') return NOTHING;
  // A line that is one object from end to end has no second record, so repairing it is the only option.
  const whole = objectEnd(text, 0) === text.length ? parseRepaired(text) : NOTHING;
  if (whole.repaired) return whole;
  const several = parseSeveral(text);
  return several.values.length > 0 ? several : parseRepaired(text);
}

function parseRepaired(text: string): ParsedLine {
  const repaired = jsonOf(repairEscapes(text));
  return repaired === undefined ? { values: [], problem: isCut(text) ? 'cut-short' : 'broken-json' } : { values: [repaired], repaired: true };
}

/** Reads several records on one line, among which one may be cut off. */
function parseSeveral(text: string): ParsedLine {
  const values: unknown[] = [];
  let damaged = 0;
  let at = 0;
  while (at < text.length && damaged < MAX_TRIES) {
    const end = objectEnd(text, at);
    const whole = end < 0 ? undefined : jsonOf(text.slice(at, end));
    if (whole !== undefined) {
      values.push(whole);
      at = skipSpace(text, end);
      continue;
    }
    damaged++;
    at = nextRecord(text, at + 1);
  }
  return damaged > 0 && values.length > 0 ? { values, problem: 'cut-short' } : { values };
}

/** The end of the object that starts here, or -1. */
function objectEnd(text: string, start: number): number {
  if (text[start] !== '{') return -1;
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 34) {
      at = stringEnd(text, at + 1);
      if (at < 0) return -1;
    } else if (code === 123) depth++;
    else if (code === 125 && --depth === 0) return at + 1;
  }
  return -1;
}

function stringEnd(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 92) at++;
    else if (code === 34) return at;
  }
  return -1;
}

/** The next place where a record may start. An object after a colon, comma or bracket is inside another one. */
function nextRecord(text: string, from: number): number {
  RECORD_START.lastIndex = from;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const match = RECORD_START.exec(text);
    if (match === null) break;
    if (!/[:,[]\s*$/.test(text.slice(Math.max(0, match.index - 4), match.index))) return match.index;
  }
  return text.length;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) <= 32) at++;
  return at;
}

/** Doubles backslashes that escape nothing, and turns control characters into spaces. */
function repairEscapes(text: string): string {
  let out = '';
  let from = 0;
  for (let at = text.indexOf('\\'); at >= 0; at = text.indexOf('\\', at)) {
    const isEscape = /^(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.test(text.slice(at + 1, at + 6));
    if (!isEscape) {
      out += `${text.slice(from, at)}\\`;
      from = at;
    }
    at += isEscape ? 2 : 1;
  }
  return (out + text.slice(from)).replace(/[\u0000-\u001f]/g, ' ');
}

const isCut = (text: string): boolean => text.startsWith('{') && !text.endsWith('}');
