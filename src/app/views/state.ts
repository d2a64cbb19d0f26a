import type { RootName } from '../../core/ports/store.ts';
import type { PastSession } from '../../render/views/archive-index.ts';
import type { ProjectState } from '../../render/views/recent-index.ts';
import type { Memory } from '../memory/memory.ts';

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** `_session.json`, as far as the views need it; whatever is wrong with it counts as not said. */
async function sessionFile(memory: Memory, root: RootName): Promise<Record<string, unknown>> {
  const file = await memory.store.read({ root, path: '_session.json' });
  try {
    const value: unknown = JSON.parse(file?.text ?? '{}');
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** First line of a document that says something: no heading, no comment, no placeholder. */
async function firstWords(memory: Memory, root: RootName, path: string): Promise<string | undefined> {
  const text = (await memory.store.read({ root, path }))?.text ?? '';
  const lines = text
    .replace(/<!--[\s\S]*?-->/g, '')
    .split(/\r?\n/)
    .map((line) => line.replace(/^\s*(?:[-*]\s+)?(?:\[.\]\s+)?/, '').trim());
  return lines.find((line) => line !== '' && !line.startsWith('#') && !/^(none|nothing)\b/i.test(line));
}

/** Ticked boxes of the list of active work. */
async function progress(memory: Memory, root: RootName): Promise<string | undefined> {
  const text = (await memory.store.read({ root, path: 'progress/active.md' }))?.text ?? '';
  const boxes = text.match(/^\s*[-*]\s+\[[ xX]\]/gm) ?? [];
  return boxes.length === 0 ? undefined : `${boxes.filter((box) => /\[[xX]\]/.test(box)).length}/${boxes.length}`;
}

export async function projectState(memory: Memory, root: RootName): Promise<ProjectState> {
  const session = await sessionFile(memory, root);
  const [task, done, blocker] = [
    await firstWords(memory, root, 'context/current-task.md'),
    await progress(memory, root),
    await firstWords(memory, root, 'context/blockers.md'),
  ];
  return {
    key: memory.key,
    path: memory.projectPath ?? '',
    active: session['active'] === true,
    ...(typeof session['started'] === 'string' && { session: session['started'] }),
    ...(task !== undefined && { task }),
    ...(done !== undefined && { progress: done }),
    ...(blocker !== undefined && { blocker }),
  };
}

export async function pastSessions(memory: Memory, root: RootName): Promise<PastSession[]> {
  const { history } = await sessionFile(memory, root);
  return Array.isArray(history)
    ? history.filter((past): past is PastSession => isObject(past) && typeof past['started'] === 'string' && typeof past['ended'] === 'string')
    : [];
}
