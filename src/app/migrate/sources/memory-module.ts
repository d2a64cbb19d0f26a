import type { SourceFile } from '../../../core/ports/foreign-memories.ts';
import type { SourceFileItem, Left, SourceContents } from '../source.ts';

const WANTED = /^(CLAUDE\.md|memory\/[^/]+\.(md|md\.bak))$/;

/** The tree named by a project's hash: instructions, MEMORY.md with its backup, session logs. */
export function readMemoryModule(files: readonly SourceFile[]): SourceContents {
  const pieces: SourceFileItem[] = [];
  const left: Left[] = [];
  for (const { path, text } of files) {
    if (WANTED.test(path)) pieces.push({ from: path, path, text });
    else left.push({ what: path, why: path === 'memory/context.json' ? 'is made again at the next load' : 'has no place in a memory' });
  }
  return { pieces, left };
}
