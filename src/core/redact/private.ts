import type { Redaction } from './span.ts';
import { PRIVATE } from './span.ts';

const TAG = /(?:<|\\u003c)(\/?)private(?:>|\\u003e)/gi;
/** Begins with a whole word, so most of a text is skipped. */
const ANY = /private[>\\]/i;

/** What stands between `<private>` and `</private>`, nested or never closed, tags included. */
export const privateSpans = (text: string): Redaction[] => {
  if (!ANY.test(text)) return [];
  const out: Redaction[] = [];
  let depth = 0;
  let start = 0;
  for (const tag of text.matchAll(TAG)) {
    if (tag[1] === '') {
      if (depth === 0) start = tag.index;
      depth++;
    } else if (depth > 0) {
      depth--;
      if (depth === 0) out.push({ kind: PRIVATE, start, end: tag.index + tag[0].length });
    }
  }
  // `Local<Private>` in code is a type: a tag that is never closed stands on its own.
  if (depth > 0 && !/\w/.test(text[start - 1] ?? '')) out.push({ kind: PRIVATE, start, end: text.length });
  return out;
};
