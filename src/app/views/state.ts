import type { RootName } from '../../core/ports/store.ts';
import type { ViewState } from '../../render/views/recent-index.ts';
import type { Memory } from '../memory/memory.ts';
import { linesSaid } from '../recall/brief/state.ts';
import { readSession } from '../session/file.ts';
import { readSettled } from '../read/settled.ts';

/** First line of a document that says something: no heading, no comment, no placeholder. */
async function firstWords(memory: Memory, root: RootName, path: string): Promise<string | undefined> {
  return linesSaid((await readSettled(memory, { root, path }))?.text ?? '')[0]?.replace(/^\[.\]\s+/, '');
}

/** Ticked boxes of the list of active work, or the percentage that it names. */
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
    await firstWords(memory, root, 'context/current-task.md'),
    await progress(memory, root),
    await firstWords(memory, root, 'context/blockers.md'),
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
