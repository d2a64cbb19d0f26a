import { createTwoFilesPatch } from 'diff';
import type { JournalEntry } from '../../core/ports/store.ts';
import { isShortId, shortIdOfName } from '../../core/record/short-id.ts';
import { ok, type Result, refuse } from '../../core/result.ts';
import { refresh } from '../index/refresh.ts';
import type { Memory } from '../memory/memory.ts';
import { resolveItem } from '../read/resolve.ts';
import { redact } from '../../core/redact/text.ts';

/** Undone groups, each with the group that undid it. */
export function undoneGroups(entries: readonly JournalEntry[]): Map<string, string> {
  const undone = new Map<string, string>();
  for (const { undoes, group } of entries) {
    if (undoes === undefined) continue;
    undone.set(undoes, group);
    // Undoing an undo restores the first action.
    for (const [first, by] of undone) if (by === undoes) undone.delete(first);
  }
  return undone;
}

export interface LogLine extends JournalEntry {
  readonly undone: boolean;
}

/** The writes of the whole memory, of one record or document, or of one action such as `#42`, newest first. */
export async function logOf(memory: Memory, id: string | undefined, limit: number): Promise<Result<readonly LogLine[]>> {
  const entries = await memory.store.journal.entries();
  const undone = undoneGroups(entries);
  let matching = entries;
  const action = /^#(\d+)$/.exec(id ?? '')?.[1];
  if (action !== undefined) {
    matching = entries.filter(({ group }) => group === groupNumbered(entries, action));
    if (matching.length === 0)
      return refuse('NOT_FOUND', `No action ${action} found.`, { missing: true, hint: 'holdfast log shows the number of each action' });
  } else if (id !== undefined) {
    await refresh(memory, 'journal');
    const paths = new Set(pathsNamed(entries, id));
    if (paths.size === 0) {
      const item = await resolveItem(memory, id);
      if (!item.ok) return item;
      paths.add(`${item.value.root}:${item.value.path}`);
    }
    for (const { root, path, from } of entries.toReversed()) if (from !== undefined && paths.has(`${root}:${path}`)) paths.add(`${root}:${from}`);
    matching = entries.filter(({ root, path }) => paths.has(`${root}:${path}`));
  }
  return ok(
    matching
      .toReversed()
      .slice(0, limit)
      .map((entry) => ({ ...entry, undone: undone.has(entry.group) })),
  );
}

/** The group of the action that holds the entry with this number. */
export const groupNumbered = (entries: readonly JournalEntry[], number: string): string => entries.find(({ seq }) => String(seq) === number)?.group ?? number;

/** The paths that had a name, including those of removed records. */
function pathsNamed(entries: readonly JournalEntry[], name: string): string[] {
  const isShort = isShortId(name);
  const isCalled = ({ id = '', path }: JournalEntry): boolean =>
    id === name || id.endsWith(`/${name}`) || path === name || (isShort && shortIdOfName(id)?.startsWith(name) === true);
  return entries.filter(isCalled).map(({ root, path }) => `${root}:${path}`);
}

/** A unified diff as git prints it; empty if the texts are equal. */
export function unifiedDiff(before: string, after: string, from: string, to: string): string {
  return before === after ? '' : createTwoFilesPatch(from, to, before, after, undefined, undefined, { context: 3 }).replace(/^=+\n/, '');
}

export interface Diff {
  readonly path: string;
  readonly from: string;
  readonly to: string;
  readonly text: string;
}

/** The change of one write: the record's last write, or the write with the number `version`. */
export async function diffOf(memory: Memory, id: string, version?: number): Promise<Result<Diff>> {
  const log = await logOf(memory, id, Number.MAX_SAFE_INTEGER);
  if (!log.ok) return log;
  const entry = version === undefined ? log.value[0] : log.value.find(({ seq, group }) => seq === version || group === String(version));
  if (!entry)
    return refuse('NOT_FOUND', version === undefined ? `${id} was never written` : `${id} has no version ${version}`, {
      missing: true,
      hint: `holdfast log ${id} lists them`,
    });
  const before = await textOf(memory, entry, entry.before);
  const after = await textOf(memory, entry, entry.after);
  const [from, to] = [`${entry.path} (before ${entry.seq})`, `${entry.path} (after ${entry.seq}, ${entry.op})`];
  return ok({ path: entry.path, from, to, text: unifiedDiff(redact(before).text, redact(after).text, from, to) });
}

/** A version's text, from the stored versions or from the file if it still has that hash. */
async function textOf(memory: Memory, { root, path }: JournalEntry, hash: string | undefined): Promise<string> {
  if (hash === undefined) return '';
  const oldText = await memory.store.version(hash);
  if (oldText !== undefined) return oldText;
  const file = await memory.store.read({ root, path });
  return file?.hash === hash ? file.text : `(version ${hash} was deleted)\n`;
}
