const MAX_UNCLOSED = 16;

/** What finds the opening tags of blocks to drop, from a pattern of their names. */
export const openingOf = (tags: string): RegExp => new RegExp(`<(${tags})(?:\\s[^>]*)?>`, 'g');

/** A text without its blocks `<tag …>…</tag>`. Linear: a tag that is nowhere closed is looked for once, and its opening stays. */
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

/** What lies between two marks, empty when one of them is missing. */
export function between(text: string, open: string, close: string): string {
  const start = text.indexOf(open);
  const end = start < 0 ? -1 : text.indexOf(close, start + open.length);
  return end < 0 ? '' : text.slice(start + open.length, end);
}

/** A text up to a mark, the whole where there is none. */
export function before(text: string, mark: string): string {
  const at = text.indexOf(mark);
  return at < 0 ? text : text.slice(0, at);
}

/** A text after the last of a mark, the whole where there is none. */
export function textAfter(text: string, mark: string): string {
  const at = text.lastIndexOf(mark);
  return at < 0 ? text : text.slice(at + mark.length);
}
