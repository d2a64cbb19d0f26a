/** Reading JSON that others wrote: every look is a question, nothing is taken on trust. */
export type Json = Readonly<Record<string, unknown>>;

export const objectOf = (value: unknown): Json | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const stringOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** The value a text holds, undefined when it is no JSON. */
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

/** The text of a string or of a list of text blocks; images and other blocks leave a word in brackets where asked. */
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
