import { ok, refuse } from '../../core/result.ts';
import { SERVER } from '../hooks/registration.ts';
import { isOurProgram, type TextChange } from './settings-edits.ts';

/** Holdfast's entry in Goose's YAML. Goose rewrites the file without comments, so the entry is recognised by the program that it starts. */

const WRITTEN_BEFORE = /^[ \t]*# holdfast: (?:begin[^\n]*|end[ \t]*)\r?\n?/gm;
const LIST = /^(?:extensions|"extensions"|'extensions'):[ \t]*([^\r\n#]*?)[ \t]*(?:#[^\n]*)?(?:\r?\n|$)/m;
const EMPTY = /^(?:\{[ \t]*\}|~|null)?$/;
const BLANK = /^[ \t]*(?:#[^\n]*)?\r?$/;
const HEAD = new RegExp(`^([ \\t]+)(?:${SERVER}|"${SERVER}"|'${SERVER}'):`);

interface Entry {
  readonly start: number;
  readonly end: number;
  readonly isOurs: boolean;
}

const depthOf = (line: string): number => /^[ \t]*/.exec(line)?.[0].length ?? 0;

/** Finds Holdfast's entry and its fields below the head of the list. */
function entryIn(text: string, from: number): Entry | undefined {
  let start: number | undefined;
  let at = from;
  let end = from;
  let depth = 0;
  for (const line of text.slice(from).split(/(?<=\n)/)) {
    const isBlank = BLANK.test(line.replace(/\n$/, ''));
    const lineDepth = depthOf(line);
    if (!isBlank && (lineDepth === 0 || (start !== undefined && lineDepth <= depth))) break;
    if (start === undefined && HEAD.test(line)) {
      start = at;
      depth = lineDepth;
    }
    at += line.length;
    if (!isBlank) end = at;
  }
  return start === undefined ? undefined : { start, end, isOurs: isOurProgram(wordsOf(text.slice(start, end))) };
}

const COMMAND = /^([ \t]+cmd:)[ \t]*(.+?)[ \t]*(?=\r?$)/m;
/** Arguments on one line or below each other. */
const ARGS = /^([ \t]+args:)[ \t]*(?:\[([^\]]*)\]|((?:\r?\n[ \t]*-[^\r\n]*)*))/m;

/** The command and arguments of the entry. */
function wordsOf(entry: string): readonly string[] {
  const command = COMMAND.exec(entry)?.[2] ?? '';
  const args = ARGS.exec(entry);
  const listed = args?.[2]?.split(',') ?? args?.[3]?.split('\n').map((line) => line.replace(/^[ \t]*-/, '')) ?? [];
  return [command, ...listed].map((word) => word.trim().replace(/^(["'])(.*)\1$/, '$2')).filter((word) => word !== '');
}

/** Adds an entry at the head of the list, indented like the others, or updates the command of Holdfast's entry. An entry of that name that starts another program stays. */
export function withGooseExtension(command: string, args: readonly string[]): TextChange {
  return (source = '') => {
    const text = source.replace(WRITTEN_BEFORE, '');
    const list = LIST.exec(text);
    if (list !== null && !EMPTY.test(list[1] ?? ''))
      return refuse('CONFIG_ERROR', 'extensions is written on one line, so nothing can be added to it', {
        hint: 'write each extension below it on lines of its own; nothing was changed',
      });
    const at = list === null ? text.length : list.index + list[0].length;
    const existing = list === null ? undefined : entryIn(text, at);
    if (existing?.isOurs === false) return ok(text);
    const rest = text.slice(at);
    const indent = /^(?:[ \t]*(?:#[^\n]*)?\r?\n)*([ \t]+)[^\s#]/.exec(rest)?.[1] ?? '  ';
    const fields = [`enabled: true`, `type: stdio`, `name: ${SERVER}`, `cmd: ${JSON.stringify(command)}`, `args: ${JSON.stringify(args)}`, 'timeout: 60'];
    const lines = [`${SERVER}:`, ...fields.map((field) => `${indent}${field}`)].map((line) => `${indent}${line}\n`).join('');
    if (existing !== undefined) {
      const entry = text.slice(existing.start, existing.end);
      if (JSON.stringify(wordsOf(entry)) === JSON.stringify([command, ...args])) return ok(text);
      const put = (value: unknown) => (_line: string, name: string) => `${name} ${JSON.stringify(value)}`;
      return ok(text.slice(0, existing.start) + entry.replace(COMMAND, put(command)).replace(ARGS, put(args)) + text.slice(existing.end));
    }
    if (list === null) return ok(`${text}${text === '' || text.endsWith('\n') ? '' : '\n'}extensions:\n${lines}`);
    return ok(`${text.slice(0, list.index)}${headOf(list)}${lines}${rest}`);
  };
}

/** The head of the list as the user wrote it, without the marker of an empty list. */
const headOf = ([head, value = '']: RegExpExecArray): string => {
  const emptied = value === '' ? head : head.replace(value, '').replace(/[ \t]+(\r?\n|$)/, '$1');
  return emptied.endsWith('\n') ? emptied : `${emptied}\n`;
};

/** Removes the entry, and the list if it held nothing else. */
export const withoutGooseExtension: TextChange = (source) => {
  if (source === undefined) return ok(source);
  const text = source.replace(WRITTEN_BEFORE, '');
  const list = LIST.exec(text);
  const there = list === null ? undefined : entryIn(text, list.index + list[0].length);
  if (there?.isOurs !== true) return ok(text);
  return ok((text.slice(0, there.start) + text.slice(there.end)).replace(/(^|\n)extensions:[ \t]*\r?\n(?![ \t])/, '$1'));
};
