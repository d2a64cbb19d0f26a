import type { Redaction } from './span.ts';
import { HARMLESS } from './span.ts';

/** A detector: `match` is asked only where one of its anchors stands. */
export interface Rule {
  /** At least three characters each. */
  readonly anchors: readonly string[];
  /** Anchors match in any case. */
  readonly anyCase?: boolean;
  /** A rule that reads a name beside a value: the scan goes on inside its span, where a token's own format may say more. */
  readonly named?: boolean;
  /** `edge` is the end of the token found last: a place where a new one may begin. */
  match(text: string, at: number, edge: number, literal: string): Redaction | readonly Redaction[] | undefined;
}

export type Scanner = (text: string) => Redaction[];

interface Anchor {
  readonly literal: string;
  readonly rule: Rule;
}

const MASK = 0x7fff;

/** Five low bits a character fold case, so one table of 32,768 entries knows every anchor's first three. */
const trigram = (literal: string): number => ((literal.charCodeAt(0) & 31) << 10) | ((literal.charCodeAt(1) & 31) << 5) | (literal.charCodeAt(2) & 31);

const stands = (anchor: Anchor, text: string, at: number): boolean =>
  anchor.rule.anyCase === true ? text.slice(at, at + anchor.literal.length).toLowerCase() === anchor.literal : text.startsWith(anchor.literal, at);

/** One pass over the text with a rolling trigram; rules run only where an anchor stands, so plain text costs one table read a character. */
export const scanner = (rules: readonly Rule[]): Scanner => {
  const slot = new Uint16Array(MASK + 1);
  const buckets: Anchor[][] = [[]];
  for (const rule of rules) {
    for (const literal of rule.anchors) {
      const key = trigram(literal);
      if (slot[key] === 0) slot[key] = buckets.push([]) - 1;
      buckets[slot[key] ?? 0]?.push({ literal, rule });
    }
  }
  // A longer anchor knows more: `sk-ant-` is asked before `sk-`.
  for (const bucket of buckets) bucket.sort((a, b) => b.literal.length - a.literal.length);

  return (text) => {
    const found: Redaction[] = [];
    let edge = 0;
    let namedEnd = 0;
    let rolling = 0;
    for (let i = 0; i < text.length; i++) {
      rolling = ((rolling << 5) | (text.charCodeAt(i) & 31)) & MASK;
      const bucket = slot[rolling] ?? 0;
      const at = i - 2;
      if (bucket === 0 || at < edge) continue;
      for (const anchor of buckets[bucket] ?? []) {
        const { rule } = anchor;
        if ((rule.named === true && at < namedEnd) || !stands(anchor, text, at)) continue;
        const hit = rule.match(text, at, edge, anchor.literal);
        if (hit === undefined) continue;
        const spans: readonly Redaction[] = 'kind' in hit ? [hit] : hit;
        for (const span of spans) if (span.kind !== HARMLESS) found.push(span);
        const end = Math.max(...spans.map((span) => span.end));
        if (rule.named === true) {
          namedEnd = Math.max(namedEnd, end);
        } else {
          edge = end;
          i = Math.max(i, end - 1);
          break;
        }
      }
    }
    return found;
  };
};
