import type { JournalEntry } from '../../core/ports/store.ts';
import { redact } from '../../core/redact/text.ts';
import type { Memory } from '../memory/memory.ts';
import { undoneGroups } from '../history/log.ts';

/** One change of the profile, with its added and removed lines. */
export interface ProfileChange extends Pick<JournalEntry, 'seq' | 'at' | 'op' | 'path' | 'actor'> {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly undone: boolean;
}

/** The changes of the profile, newest first, from the journal. */
export async function profileHistory(user: Memory, category: string | undefined, limit: number): Promise<readonly ProfileChange[]> {
  const entries = await user.store.journal.entries();
  const undone = undoneGroups(entries);
  const matching = entries.filter(
    ({ root, path }) => root === 'user' && (category === undefined || path === `${category}.md` || path.startsWith(`${category}/`)),
  );
  const changes: ProfileChange[] = [];
  for (const entry of matching.toReversed().slice(0, limit)) {
    const [before, after] = [await linesOf(user, entry, entry.before), await linesOf(user, entry, entry.after)];
    const { seq, at, op, path, actor, group } = entry;
    changes.push({ seq, at, op, path, actor, added: linesMissingFrom(after, before), removed: linesMissingFrom(before, after), undone: undone.has(group) });
  }
  return changes;
}

/** Empty if a version is missing: text that was overwritten by hand has no stored version. */
const linesMissingFrom = (lines: readonly string[] | undefined, from: readonly string[] | undefined): string[] =>
  lines && from ? lines.filter((line) => !from.includes(line)) : [];

async function linesOf(user: Memory, { root, path }: JournalEntry, hash: string | undefined): Promise<string[] | undefined> {
  if (hash === undefined) return [];
  const file = await user.store.read({ root, path });
  const text = file?.hash === hash ? file.text : await user.store.version(hash);
  if (text === undefined) return undefined;
  return redact(text)
    .text.replace(/<!--[\s\S]*?-->/g, '')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('# '));
}
