import type { SourceFile } from '../../../core/ports/foreign-memories.ts';
import type { SourceFileItem, SkippedItem, SourceContents } from '../source.ts';

const CONVERSATION = /^(?:([^/]+)\/)?conversations\/([^/]+\.md)$/;
const MASTER = /^(?:([^/]+)\/)?master\.md$/;

/** `_memory/`: a summary for each conversation, and what was distilled from them, also by sub-project. */
export function readMemoryFolder(files: readonly SourceFile[]): SourceContents {
  const items: SourceFileItem[] = [];
  const left: SkippedItem[] = [];
  for (const { path, text } of files) {
    const conversation = CONVERSATION.exec(path);
    const master = MASTER.exec(path);
    if (conversation) items.push({ from: path, path: `sessions/${conversation[2] as string}`, text });
    else if (master) items.push({ from: path, path: master[1] === undefined ? 'master.md' : `memory/master-${master[1]}.md`, text });
    else if (/^[^/]+\.md$/.test(path)) items.push({ from: path, path: `memory/${path}`, text });
    else left.push({ what: path, why: 'has no place in a memory' });
  }
  return { items, left };
}

const WANTED = /^(CLAUDE\.md|memory\/[^/]+\.(md|md\.bak))$/;

/** The tree named by a project's hash: instructions, MEMORY.md with its backup, session logs. */
export function readMemoryModule(files: readonly SourceFile[]): SourceContents {
  const items: SourceFileItem[] = [];
  const left: SkippedItem[] = [];
  for (const { path, text } of files) {
    if (WANTED.test(path)) items.push({ from: path, path, text });
    else left.push({ what: path, why: path === 'memory/context.json' ? 'is made again at the next load' : 'has no place in a memory' });
  }
  return { items, left };
}
