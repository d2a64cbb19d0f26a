import type { JournalEntry } from '../../core/ports/store.ts';
import { redact } from '../../core/redact/text.ts';
import type { Memory } from '../memory/memory.ts';
import { undoneGroups } from '../history/log.ts';

/** One change of the profile: when, where, and which lines came and went. */
export interface ProfileChange extends Pick<JournalEntry, 'seq' | 'at' | 'op' | 'path' | 'actor'> {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly undone: boolean;
}

/** The changes of the profile, newest first, from the journal. */
export async function profileHistory(user: Memory, category: string | undefined, limit: number): Promise<readonly ProfileChange[]> {
  const entries = await user.store.journal.entries();
  const undone = undoneGroups(entries);
  const wanted = entries.filter(
    ({ root, path }) => root === 'user' && (category === undefined || path === `${category}.md` || path.startsWith(`${category}/`)),
  );
  const changes: ProfileChange[] = [];
  for (const entry of wanted.toReversed().slice(0, limit)) {
    const [before, after] = [await linesOf(user, entry, entry.before), await linesOf(user, entry, entry.after)];
    const { seq, at, op, path, actor, group } = entry;
    changes.push({ seq, at, op, path, actor, added: missing(after, before), removed: missing(before, after), undone: undone.has(group) });
  }
  return changes;
}

/** A text overwritten by hand is not kept, so its changes cannot be shown. */
const missing = (lines: readonly string[] | undefined, from: readonly string[] | undefined): string[] =>
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
