import type { JournalEntry } from '../../core/ports/store.ts';
import { ok, type Result } from '../../core/result.ts';
import { refresh } from '../index/refresh.ts';
import type { Memory } from '../memory/memory.ts';
import { resolveItem } from '../read/resolve.ts';

/** Groups that were taken back, and by which. */
export function undoneGroups(entries: readonly JournalEntry[]): Map<string, string> {
  const undone = new Map<string, string>();
  for (const { undoes, group } of entries) {
    if (undoes === undefined) continue;
    undone.set(undoes, group);
    // Taking back an undo brings the first action into force again.
    for (const [first, by] of undone) if (by === undoes) undone.delete(first);
  }
  return undone;
}

export interface LogLine extends JournalEntry {
  readonly undone: boolean;
}

/** Every write of the memory, or of one record or document, newest first. */
export async function logOf(memory: Memory, id: string | undefined, limit: number): Promise<Result<readonly LogLine[]>> {
  const entries = await memory.store.journal.entries();
  const undone = undoneGroups(entries);
  let wanted = entries;
  if (id !== undefined) {
    await refresh(memory, 'journal');
    const paths = new Set(namesOf(entries, id));
    if (paths.size === 0) {
      const item = await resolveItem(memory, id);
      if (!item.ok) return item;
      paths.add(`${item.value.root}:${item.value.path}`);
    }
    for (const { root, path, from } of entries.toReversed()) if (from !== undefined && paths.has(`${root}:${path}`)) paths.add(`${root}:${from}`);
    wanted = entries.filter(({ root, path }) => paths.has(`${root}:${path}`));
  }
  return ok(
    wanted
      .toReversed()
      .slice(0, limit)
      .map((entry) => ({ ...entry, undone: undone.has(entry.group) })),
  );
}

const namesOf = (entries: readonly JournalEntry[], id: string): string[] =>
  entries.filter((entry) => entry.id === id || entry.id?.endsWith(`/${id}`) || entry.path === id).map(({ root, path }) => `${root}:${path}`);
