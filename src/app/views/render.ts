import type { RootName, WriteSession } from '../../core/ports/store.ts';
import type { Memory } from '../memory/memory.ts';

export async function viewTexts(memory: Memory, root: RootName): Promise<Map<string, string>> {
  const prefix = root === 'shared' ? memory.sharedPrefix : '';
  const lines = memory.index.items({ kind: 'record', status: 'active', root }).map((i) => `- [${i.category?.toUpperCase()}] ${i.title} -> ${prefix}${i.path} #tags:${i.tags.join(',')}`);
  lines.sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
  return new Map([['index.md', `# Memory Index\n\n${lines.join('\n')}\n`]]);
}

export async function renderViews(memory: Memory, session: WriteSession, root: RootName): Promise<void> {
  for (const [path, text] of await viewTexts(memory, root)) await session.view({ root, path }, text);
}
