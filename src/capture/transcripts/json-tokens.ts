import { MAX_RECORD, type SkipReason } from './event.ts';
import type { Json } from '../../core/value.ts';
import { jsonOf, objectOf } from './value.ts';

/** A part of a transcript that is one JSON value: the fields before the list of messages, or one of its members. */
export type JsonToken =
  | { readonly kind: 'head'; readonly fields: Json }
  | { readonly kind: 'member'; readonly value: unknown; readonly line: number }
  | { readonly kind: 'problem'; readonly reason: SkipReason; readonly line: number };

const MAX_HEAD = 4_000_000;

/**
 * Reads one large JSON value line by line and returns the members of its `messages` list one at a time, so that only one message is in memory. Members
 * longer than MAX_RECORD are skipped; the fields before the list may have MAX_HEAD characters.
 */
export class DocumentWalker {
  readonly #listKey: string;
  #line = 0;
  #depth = 0;
  #listDepth = -1;
  #key = '';
  #text: string[] = [];
  #length = 0;
  #memberLine = 0;
  #ended = false;

  constructor(listKey = 'messages') {
    this.#listKey = listKey;
  }

  push(line: string): readonly JsonToken[] {
    this.#line++;
    const tokens: JsonToken[] = [];
    let from = 0;
    for (let at = this.#depth === 0 ? rootStart(line) : 0; at < line.length; at++) {
      const code = line.charCodeAt(at);
      if (code === 34) {
        const end = stringEnd(line, at + 1);
        if (this.#depth === 1) this.#key = line.slice(at + 1, end);
        at = end;
      } else if (code === 123 || code === 91) {
        if (this.#opensList(code)) {
          this.#keep(line.slice(from, at));
          tokens.push(...this.#head());
          this.#listDepth = ++this.#depth;
          from = at + 1;
        } else if (this.#depth++ === this.#listDepth) {
          this.#drop();
          from = at;
          this.#memberLine = this.#line;
        }
      } else if (code === 125 || code === 93) {
        this.#depth--;
        if (this.#listDepth > 0 && this.#depth === this.#listDepth) {
          this.#keep(line.slice(from, at + 1));
          tokens.push(this.#member());
          from = at + 1;
        } else if (this.#depth < this.#listDepth) this.#listDepth = Number.MAX_SAFE_INTEGER;
        if (this.#depth <= 0) this.#ended = true;
      }
    }
    this.#keep(`${line.slice(from)}\n`);
    return tokens;
  }

  /** Reports a file that ends too early. */
  end(): readonly JsonToken[] {
    if (this.#ended || this.#line === 0) return [];
    return [{ kind: 'problem', reason: 'cut-short', line: this.#line }];
  }

  #opensList(code: number): boolean {
    return this.#listDepth < 0 && code === 91 && (this.#depth === 0 || (this.#depth === 1 && this.#key === this.#listKey));
  }

  #keep(text: string): void {
    const inMember = this.#listDepth > 0 && this.#depth >= this.#listDepth;
    this.#length += text.length;
    if (this.#length <= (inMember ? MAX_RECORD : MAX_HEAD)) this.#text.push(text);
  }

  #drop(): void {
    this.#text = [];
    this.#length = 0;
  }

  #head(): readonly JsonToken[] {
    const text = `${this.#text.join('')}null}`;
    this.#drop();
    const fields = objectOf(jsonOf(text.slice(Math.max(0, text.indexOf('{')))));
    return fields === undefined ? [] : [{ kind: 'head', fields }];
  }

  #member(): JsonToken {
    const tooLong = this.#length > MAX_RECORD;
    const value = tooLong ? undefined : jsonOf(this.#text.join(''));
    this.#drop();
    if (value !== undefined) return { kind: 'member', value, line: this.#memberLine };
    return { kind: 'problem', reason: tooLong ? 'too-long' : 'broken-json', line: this.#memberLine };
  }
}

/** Skips lines before the value, such as a progress line. */
const rootStart = (line: string): number => (/^\s*[{[]\s*(?:$|["{[\]}])/.test(line) ? 0 : line.length);

/** The end of a string; the end of the line if it is cut off. JSON strings do not span lines. */
function stringEnd(line: string, start: number): number {
  for (let at = start; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (code === 92) at++;
    else if (code === 34) return at;
  }
  return line.length;
}
