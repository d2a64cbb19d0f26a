import type { RootName, WriteSession } from '../../core/ports/store.ts';
import { type ViewState, renderRecentIndex, renderActiveIndex } from '../../render/views/recent-index.ts';
import type { Memory } from '../memory/memory.ts';
import { contentLines } from '../recall/brief/state.ts';
import { readSession, sessionText } from '../work/file.ts';
import { readSettled } from '../recall/recall-context.ts';
import { renderArchiveIndex } from '../../render/views/archive-index.ts';
import { isQuarantined } from '../../core/trust/trust.ts';

/** The first line of a document that is no heading, comment or placeholder. */
async function firstContentLine(memory: Memory, root: RootName, path: string): Promise<string | undefined> {
  return contentLines((await readSettled(memory, { root, path }))?.text ?? '')[0]?.replace(/^\[.\]\s+/, '');
}

/** The ticked boxes in the list of active work, or its percentage. */
async function progress(memory: Memory, root: RootName): Promise<string | undefined> {
  const text = (await readSettled(memory, { root, path: 'progress/active.md' }))?.text ?? '';
  const boxes = text.match(/^\s*[-*]\s+\[[ xX]\]/gm) ?? [];
  if (boxes.length === 0) return /\b(?:100|\d{1,2}) ?%/.exec(text.replace(/<!--[\s\S]*?-->/g, ''))?.[0];
  return `${boxes.filter((box) => /\[[xX]\]/.test(box)).length}/${boxes.length}`;
}

export async function viewState(memory: Memory, root: RootName): Promise<ViewState> {
  const { session } = await readSession(memory);
  const newest = session.open.at(-1) ?? session.last;
  const [task, done, blocker] = [
    await firstContentLine(memory, root, 'context/current-task.md'),
    await progress(memory, root),
    await firstContentLine(memory, root, 'context/blockers.md'),
  ];
  return {
    key: memory.key,
    path: memory.projectPath ?? '',
    active: session.open.length > 0,
    ...(newest && { session: newest.started }),
    ...(task !== undefined && { task }),
    ...(done !== undefined && { progress: done }),
    ...(blocker !== undefined && { blocker }),
  };
}

/** The root whose views list the records of a root. The shared root has no views, because they would conflict at every git merge. */
export const viewRootOf = (root: RootName): RootName => (root === 'shared' ? 'private' : root);

/** The texts of a root's views. Those of the private root list the shared records too, and the state of the project. */
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
