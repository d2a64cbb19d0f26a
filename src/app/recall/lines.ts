/** Making a pattern ready takes a start longer than all its texts do, so patterns are asked only where a first look says that they could fit. */

export const splitLines = (text: string): string[] => (text.includes('\r') ? text.split(/\r?\n/) : text.split('\n'));

/** A line without the mark of a list before it and without the blanks around it. */
export function unlisted(line: string): string {
  const text = line.trim();
  const first = text.charAt(0);
  if (first === '-' || first === '*') {
    const rest = line.trimStart().slice(1);
    const item = rest.trimStart();
    return item.length < rest.length ? item.trimEnd() : text;
  }
  return first >= '0' && first <= '9' ? line.replace(/^\s*\d+[.)]\s+/, '').trim() : text;
}

/** All blanks between words as one. */
export const spaced = (text: string): string => (/[^\S ]| {2}/.test(text) ? text.replace(/\s+/g, ' ') : text);

/** Whether it ends with one of these characters. */
export const endsWithOne = (text: string, marks: string): boolean => text !== '' && marks.includes(text.slice(-1));
