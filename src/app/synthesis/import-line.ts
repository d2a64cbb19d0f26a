import type { TextFile } from '../../core/ports/client-files.ts';
import { ok, type Result } from '../../core/result.ts';

/** The line with which a client's instructions load a file: `@path`, or `@import path` as some write it. */
const loads = (line: string, target: string): boolean => [`@${target}`, `@import ${target}`].includes(line.trim());

/** The instructions with the line that loads the master at their end; the same text when it is there. */
function withImport(text: string, target: string): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  if (text.split(/\r?\n/).some((line) => loads(line, target))) return text;
  const gap = text === '' || text.endsWith('\n') ? '' : eol;
  return `${text}${gap}@${target}${eol}`;
}

/** The instructions without that line; every other byte stays. */
const withoutImport = (text: string, target: string): string => (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).filter((line) => !loads(line, target)).join('');

export interface ImportChange {
  readonly file: string;
  readonly changed: boolean;
}

/** Adds or removes the line of a client's instructions that loads the master. */
export function changeImport(instructions: TextFile, target: string, wish: 'add' | 'remove'): Result<ImportChange> {
  const read = instructions.read();
  if (!read.ok) return read;
  const next = wish === 'add' ? withImport(read.value, target) : withoutImport(read.value, target);
  if (next !== read.value) {
    const written = instructions.write(next);
    if (!written.ok) return written;
  }
  return ok({ file: instructions.path, changed: next !== read.value });
}
