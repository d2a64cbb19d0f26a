import type { Redaction } from './span.ts';
import { HARMLESS } from './span.ts';

/** A detector: `match` is called only at its anchors. */
export interface Rule {
  /** At least three characters each. */
  readonly anchors: readonly string[];
  /** Anchors match in any case. */
  readonly anyCase?: boolean;
  /** A rule that reads a name beside a value: the scan continues inside its span, where a more specific token may be. */
  readonly named?: boolean;
  /** `edge` is the end of the token found last: a place where a new one may begin. */
  match(text: string, at: number, edge: number, literal: string): Redaction | readonly Redaction[] | undefined;
}

/** Returns the low byte of every character of a text, valid until the next call. */
export type LowBytes = (text: string) => Uint8Array;

export type Scanner = (text: string, lowBytes?: LowBytes) => Redaction[];

interface Anchor {
  readonly literal: string;
  readonly first: number;
  /** Its last character in lower case, where that is ASCII; else 0. */
  readonly last: number;
  readonly anyCase: boolean;
  readonly rule: Rule;
}

const MASK = 0x7fff;

/** The low five bits of a character ignore case, so a table of 32,768 entries covers the first three characters of every anchor. */
const trigram = (literal: string): number => ((literal.charCodeAt(0) & 31) << 10) | ((literal.charCodeAt(1) & 31) << 5) | (literal.charCodeAt(2) & 31);

/** `text.charCodeAt` is looked up again for every character if texts have different representations in memory. */
const codeAt = String.prototype.charCodeAt;

const lastOf = (literal: string): number => {
  const code = literal.charCodeAt(literal.length - 1);
  return code < 128 ? code | 32 : 0;
};

/** Compares the first and last character before slicing: most places that share an anchor's folded trigram already differ there. */
function stands({ literal, first, last, anyCase }: Anchor, text: string, at: number): boolean {
  const code = codeAt.call(text, at);
  if (!anyCase) return code === first && text.startsWith(literal, at);
  if ((code | 32) !== (first | 32) || (last !== 0 && (codeAt.call(text, at + literal.length - 1) | 32) !== last)) return false;
  return text.slice(at, at + literal.length).toLowerCase() === literal;
}

/** One pass over the text with a rolling trigram. Rules run only at anchors, so plain text costs one table read per character. */
export const scanner = (rules: readonly Rule[]): Scanner => {
  const slot = new Uint16Array(MASK + 1);
  const buckets: Anchor[][] = [[]];
  for (const rule of rules) {
    for (const literal of rule.anchors) {
      const key = trigram(literal);
      if (slot[key] === 0) slot[key] = buckets.push([]) - 1;
      buckets[slot[key] ?? 0]?.push({ literal, first: literal.charCodeAt(0), last: lastOf(literal), anyCase: rule.anyCase === true, rule });
    }
  }
  // A longer anchor is more specific: `sk-ant-` comes before `sk-`.
  for (const bucket of buckets) bucket.sort((a, b) => b.literal.length - a.literal.length);

  return (text, lowBytes) => {
    const secrets: Redaction[] = [];
    let edge = 0;
    let namedEnd = 0;
    let rolling = 0;
    const end = text.length;
    const bytes = lowBytes?.(text);
    for (let i = 0; i < end; i++) {
      rolling = ((rolling << 5) | ((bytes === undefined ? codeAt.call(text, i) : (bytes[i] as number)) & 31)) & MASK;
      const bucket = slot[rolling] ?? 0;
      const at = i - 2;
      if (bucket === 0 || at < edge) continue;
      for (const anchor of buckets[bucket] ?? []) {
        const { rule } = anchor;
        if ((rule.named === true && at < namedEnd) || !stands(anchor, text, at)) continue;
        const hit = rule.match(text, at, edge, anchor.literal);
        if (hit === undefined) continue;
        const spans: readonly Redaction[] = 'kind' in hit ? [hit] : hit;
        for (const span of spans) if (span.kind !== HARMLESS) secrets.push(span);
        const last = Math.max(...spans.map((span) => span.end));
        if (rule.named === true) {
          namedEnd = Math.max(namedEnd, last);
        } else {
          edge = last;
          i = Math.max(i, last - 1);
          break;
        }
      }
    }
    return secrets;
  };
};
