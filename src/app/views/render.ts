import type { RootName, WriteSession } from '../../core/ports/store.ts';
import { renderActiveIndex } from '../../render/views/active-index.ts';
import { renderArchiveIndex } from '../../render/views/archive-index.ts';
import { renderRecentIndex } from '../../render/views/recent-index.ts';
import type { Memory } from '../memory/memory.ts';
import { readSession, sessionText } from '../session/file.ts';
import { projectState } from './state.ts';

/** The views of a root as they should be: every root lists its active records, the private one also says where the project stands. */
export async function viewTexts(memory: Memory, root: RootName): Promise<ReadonlyMap<string, string>> {
  if (root === 'home' || root === 'folder') return new Map();
  const rows = memory.index.items({ status: 'active', root });
  const texts = new Map([['index.md', renderActiveIndex(rows, root === 'shared' ? memory.sharedPrefix : '')]]);
  if (root === 'private') {
    const session = await sessionText(memory);
    if (session !== undefined) texts.set('_session.json', session);
    texts.set('_index.md', renderRecentIndex(await projectState(memory, root), rows));
    texts.set('_index-archive.md', renderArchiveIndex(memory.key, (await readSession(memory)).session.history, rows));
  }
  return texts;
}

export async function renderViews(memory: Memory, session: WriteSession, root: RootName): Promise<void> {
  for (const [path, text] of await viewTexts(memory, root)) await session.view({ root, path }, text);
}
