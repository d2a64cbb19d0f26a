import type { SessionFacts } from '../../core/episode/episode.ts';
import type { EpisodeEntry, EpisodeArchive, EpisodeChange } from '../../core/ports/episodes.ts';
import { NewWords } from '../../recall/text/words.ts';
import { joinFacts, archivedLine } from './archive-line.ts';
import { type EpisodeStore, idsOf, type Keeping, news, putEntries, titled } from './keep.ts';

/** Makes an index that was lost again from the archive; others wait for it. True when there was something to make. */
export function remake({ index, archive }: EpisodeStore): boolean {
  if (index.isWhole()) return false;
  const change = index.begin();
  try {
    const isMade = !index.isWhole() && refill(change, archive);
    index.commit();
    return isMade;
  } catch (cause) {
    index.rollback();
    throw cause;
  }
}

/** Puts what the archive holds in the place of all that the index knows. True when there was something. */
export function refill(change: EpisodeChange, archive: EpisodeArchive): boolean {
  change.clear();
  const [names, keeping] = [archive.names(), { change, words: new NewWords() }];
  for (const name of names) takeIn(keeping, name, archive.blocks(name));
  change.whole(true);
  return names.length > 0;
}

function takeIn(keeping: Keeping, name: string, blocks: Iterable<{ readonly lines: readonly string[]; readonly end: number }>): void {
  const { change } = keeping;
  let sessionId: string | undefined;
  let length = 0;
  for (const { lines, end } of blocks) {
    const { facts, entries } = readLines(lines);
    if (facts === undefined) continue;
    sessionId = facts.sessionId;
    const session = change.session(sessionId) ?? change.begin(facts, '', name);
    change.facts(session.unit, titled(facts, session, entries), '');
    const sizes = change.sizes(session.unit, idsOf(entries));
    putEntries(keeping, session, news(sizes, entries).fresh, sizes);
    length = end;
  }
  const session = sessionId === undefined ? undefined : change.session(sessionId);
  if (session !== undefined) change.archived(session.unit, length);
}

/** Every append says first whose it is. */
function readLines(lines: readonly string[]): { readonly facts?: SessionFacts; readonly entries: readonly EpisodeEntry[] } {
  let facts: SessionFacts | undefined;
  const entries: EpisodeEntry[] = [];
  for (const text of lines) {
    const line = archivedLine(text);
    if (line === undefined) continue;
    if ('session' in line) facts = facts === undefined ? line.session : joinFacts(facts, line.session);
    else entries.push(line.entry);
  }
  return { ...(facts !== undefined && { facts }), entries };
}
