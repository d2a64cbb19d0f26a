import type { RootName, WriteSession } from '../../core/ports/store.ts';
import { renderActiveIndex } from '../../render/views/active-index.ts';
import { renderArchiveIndex } from '../../render/views/archive-index.ts';
import { renderRecentIndex } from '../../render/views/recent-index.ts';
import { isQuarantined } from '../../core/trust/trust.ts';
import type { Memory } from '../memory/memory.ts';
import { readSession, sessionText } from '../session/file.ts';
import { viewState } from './state.ts';

/** The root whose views list the records of a root. The shared root has none of its own: a view that travels by git conflicts at every merge. */
export const viewRootOf = (root: RootName): RootName => (root === 'shared' ? 'private' : root);

/** The views of a root as they should be: the private one lists the shared records too, and says where the project stands. */
export async function viewTexts(memory: Memory, root: RootName): Promise<ReadonlyMap<string, string>> {
  if (root !== 'private' && root !== 'user') return new Map();
  // Agents read the views: leave quarantined records out.
  const listed = (from: RootName) => memory.index.items({ status: 'active', root: from }).filter(({ trust }) => !isQuarantined(trust));
  const rows = listed(root);
  const shared = root === 'private' ? listed('shared') : [];
  const texts = new Map([['index.md', renderActiveIndex([...rows, ...shared], (row) => (row.root === 'shared' ? memory.sharedPrefix : ''))]]);
  if (root === 'private') {
    const session = await sessionText(memory);
    if (session !== undefined) texts.set('_session.json', session);
    texts.set('_index.md', renderRecentIndex(await viewState(memory, root), rows));
    texts.set('_index-archive.md', renderArchiveIndex(memory.key, (await readSession(memory)).session.history, rows));
  }
  return texts;
}

export async function renderViews(memory: Memory, session: WriteSession, root: RootName): Promise<void> {
  for (const [path, text] of await viewTexts(memory, root)) await session.view({ root, path }, text);
}
