import { utcSeconds } from '../../../core/instant.ts';
import { recallLine } from '../../../recall/inject/entry.ts';
import { cut, plain } from '../../../recall/inject/plain.ts';
import { splitSections } from '../../../render/documents/sections.ts';
import { catchUp } from '../../index/catch-up.ts';
import type { Memory } from '../../memory/memory.ts';
import { type RecallContext, readSettled } from '../recall-context.ts';
import { recordName, readEntry } from '../entry.ts';
import type { BriefItem } from './items.ts';
import { contentLines } from './state.ts';

/** The agent names a preference that it follows, so that the user can object. */
const SECTION = '## Preferences (when one of these shapes what you do, say so: "💭 Based on your preference...")';
/** Anyone who can push may have written these, so they are not called the user's. */
const FROM_REPOSITORY = '## Conventions that came with the repository, not the user';
const MAX_LINES = 12;
const LINE_LENGTH = 160;
const MAX_RECORDS = 10;
/** So many preferences saved on purpose alternate with saved decisions and constraints, before quoted prompts. */
const SAVED_FIRST = 4;
const SAVED_RANK = 2.7;

interface Preference extends BriefItem {
  readonly isForeign?: boolean;
  readonly isSaved?: boolean;
}

/** Preferences for every project first, then those for this one. */
export async function preferenceItems(memory: Memory, recallContext: RecallContext): Promise<readonly BriefItem[]> {
  const { user } = recallContext;
  if (user) await catchUp(user, 'sweep');
  const own = user ? [...(await profileLines(user)), ...(await records(user, recallContext))] : [];
  const ofProject = await records(memory, recallContext);
  const itemsUnder = (section: string, preferences: readonly Preference[], from: number): readonly BriefItem[] =>
    preferences.map((preference, at) => ({
      ...preference,
      line: { ...preference.line, section, rank: from + at < SAVED_FIRST && preference.isSaved === true ? SAVED_RANK + (from + at) / 5 : 11 + 3 * (from + at) },
    }));
  const [users, foreign] = [[...own, ...ofProject.filter(({ isForeign }) => !isForeign)], ofProject.filter(({ isForeign }) => isForeign)];
  return [...itemsUnder(SECTION, users, 0), ...itemsUnder(FROM_REPOSITORY, foreign, users.length)];
}

/** Lines of the user's own documents: preferences first; each other document is named before its lines. */
async function profileLines(user: Memory): Promise<BriefItem[]> {
  const documents = user.index.items({ kind: 'document', root: 'user' }).map(({ path }) => path);
  const paths = ['preferences.md', ...documents.filter((path) => path !== 'preferences.md' && !path.includes('/')).toSorted()];
  const preferences: BriefItem[] = [];
  for (const path of paths) {
    const file = await readSettled(user, { root: 'user', path });
    const name = path.replace(/\.md$/, '');
    const lines = file ? linesWithHeadings(file.text, path === 'preferences.md' ? '' : name) : [];
    for (const [at, text] of lines.slice(0, MAX_LINES).entries()) {
      preferences.push({
        line: { id: `user/${name}:${at + 1}`, rank: 0, forms: [`- ${cut(plain(text), LINE_LENGTH)}`] },
        title: cut(plain(text), 60),
        updatedAt: utcSeconds(file?.mtimeMs ?? 0),
        reason: "the user's own words",
      });
    }
  }
  return preferences;
}

/** The lines of a document with their headings, because a heading such as `Does not work` reverses the meaning. */
function linesWithHeadings(text: string, name: string): string[] {
  const { head, sections } = splitSections(text);
  const named = (heading: string): string => [name, heading].filter((part) => part !== '').join(', ');
  return [{ title: '', body: head }, ...sections].flatMap(({ title, body }) => {
    const label = named(title);
    return contentLines(body).map((line) => (label === '' ? line : `${label}: ${line}`));
  });
}

async function records(memory: Memory, recallContext: RecallContext): Promise<Preference[]> {
  const items = memory.index
    .recent({ kind: 'record', category: 'preference', status: 'active' }, MAX_RECORDS * 2)
    .filter((item) => item.trust !== 'quarantined' && item.supersededBy === undefined)
    .slice(0, MAX_RECORDS)
    .toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : a.path < b.path ? -1 : 1));
  const preferences: Preference[] = [];
  for (const item of items) {
    const read = await readEntry(memory, item, recallContext);
    if (!read) continue;
    const isForeign = read.entry.from === 'repository';
    preferences.push({
      line: { ...recallLine(read.entry), rank: 0 },
      title: recordName(item),
      updatedAt: item.updatedAt,
      reason: 'a preference',
      isForeign,
      isSaved: item.waits !== true && !isForeign,
    });
  }
  return preferences;
}
