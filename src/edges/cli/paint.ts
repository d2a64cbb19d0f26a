import type { Paint } from './command.ts';

const code = (open: number, close: number) => (text: string) => `\u001b[${open}m${text}\u001b[${close}m`;
const plain = (text: string): string => text;

export const COLOURED: Paint = { bold: code(1, 22), dim: code(2, 22), green: code(32, 39), yellow: code(33, 39), red: code(31, 39) };
export const PLAIN: Paint = { bold: plain, dim: plain, green: plain, yellow: plain, red: plain };

/** Text from a memory on its way to a terminal: control sequences in it are shown, never obeyed. */
export const inert = (text: string): string =>
  text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`);

/** The same for a value shown as JSON, which stays JSON. */
export const inertJson = (value: unknown): string =>
  JSON.stringify(value ?? null).replace(/[\u007f-\u009f]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`);
