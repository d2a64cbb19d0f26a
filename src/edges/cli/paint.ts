import type { Paint, Arguments, Cli } from './command.ts';

const code = (open: number, close: number) => (text: string) => `\u001b[${open}m${text}\u001b[${close}m`;
const plain = (text: string): string => text;

export const COLOURED: Paint = { bold: code(1, 22), dim: code(2, 22), green: code(32, 39), yellow: code(33, 39), red: code(31, 39) };
export const PLAIN: Paint = { bold: plain, dim: plain, green: plain, yellow: plain, red: plain };

const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/**
 * Turns the text around, or is not seen: marks of direction, zero-width spaces and joints, tags, separators of lines. A joiner between two pictures and a
 * variation of one belong to what is seen.
 */
const HIDDEN = /(?!\u200d|\ufe0f)\p{Default_Ignorable_Code_Point}|[\u2028\u2029\ufff9-\ufffb]|(?<!\p{Extended_Pictographic}\ufe0f?|\p{Emoji_Modifier})\u200d/gu;

const hex = (char: string, digits: number): string => (char.codePointAt(0) ?? 0).toString(16).padStart(digits, '0');
const shownHidden = (char: string): string => (char.length > 1 ? `\\u{${hex(char, 4)}}` : `\\u${hex(char, 4)}`);

/** Text from a memory on its way to a terminal: what would act on the terminal or is not seen is shown, never obeyed. */
export function inert(text: string): string {
  // Most text is plain, and reading the second pattern costs a search a millisecond.
  if (!/[^\t\n -~]/.test(text)) return text;
  return text.replace(CONTROL, (char) => `\\x${hex(char, 2)}`).replace(HIDDEN, shownHidden);
}

/** The same for a value shown as JSON, which stays JSON. */
export function inertJson(value: unknown): string {
  const json = JSON.stringify(value ?? null);
  if (!/[^ -~]/.test(json)) return json;
  return json
    .replace(/[\u007f-\u009f]/g, (char) => `\\u${hex(char, 4)}`)
    .replace(HIDDEN, (char) => [...Array(char.length).keys()].map((at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''));
}

export const WITH_QUARANTINED = {
  name: 'quarantined',
  about: 'in the shell of an agent: also what came from tools or pages and is not confirmed; a person always sees it, labelled',
} as const;

/** Whether a command keeps quarantined records to itself: an agent reads what it prints. */
export const withholds = (cli: Pick<Cli, 'actor'>, args: Arguments): boolean => cli.actor === 'shell' && !args.flag('quarantined');
