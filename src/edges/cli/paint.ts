import type { Paint } from './command.ts';

const code = (open: number, close: number) => (text: string) => `\u001b[${open}m${text}\u001b[${close}m`;
const plain = (text: string): string => text;

export const COLOURED: Paint = { bold: code(1, 22), dim: code(2, 22), green: code(32, 39), yellow: code(33, 39), red: code(31, 39) };
export const PLAIN: Paint = { bold: plain, dim: plain, green: plain, yellow: plain, red: plain };

const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/**
 * Invisible characters: direction marks, zero-width spaces and joiners, tags, line separators. Joiners and variation selectors
 * inside an emoji stay.
 */
const HIDDEN = /(?!\u200d|\ufe0f)\p{Default_Ignorable_Code_Point}|[\u2028\u2029\ufff9-\ufffb]|(?<!\p{Extended_Pictographic}\ufe0f?|\p{Emoji_Modifier})\u200d/gu;

const hex = (char: string, digits: number): string => (char.codePointAt(0) ?? 0).toString(16).padStart(digits, '0');
const escaped = (char: string): string => (char.length > 1 ? `\\u{${hex(char, 4)}}` : `\\u${hex(char, 4)}`);

/** Makes stored text safe for a terminal: control and invisible characters are shown as escapes. */
export function inert(text: string): string {
  // Most text is plain ASCII, and compiling the second pattern costs a search a millisecond.
  if (!/[^\t\n -~]/.test(text)) return text;
  return text.replace(CONTROL, (char) => `\\x${hex(char, 2)}`).replace(HIDDEN, escaped);
}

/** The same for a value printed as JSON, which stays valid JSON. */
export function inertJson(value: unknown): string {
  const json = JSON.stringify(value ?? null);
  if (!/[^ -~]/.test(json)) return json;
  return json
    .replace(/[\u007f-\u009f]/g, (char) => `\\u${hex(char, 4)}`)
    .replace(HIDDEN, (char) => [...Array(char.length).keys()].map((at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''));
}
