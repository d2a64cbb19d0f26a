import { epochOf, utcSeconds } from '../../core/instant.ts';
import type { MemoryRecord } from '../../core/record/schema.ts';
import { isAutomaticSummary } from '../../core/trust/review.ts';
import { aboutProject } from './about.ts';
import { isReplacement, withoutRepeats, withoutSteps } from './budget.ts';
import { evolutionOf, successors } from './evolution.ts';
import { type CommitChange, commitChanges, historyLine, LONGEST_CHANGE, openTodos, onePerChange, revertedNames } from './from-commits.ts';
import { itemOfRecord } from './from-record.ts';
import { commitsOfSummary, itemsOfSummary, statusItem, SUBJECT } from './from-summary.ts';
import type { SynthesisInput } from './gather.ts';
import { isSessionRef, masterLine, refOf, type Item, type MasterSection } from './item.ts';
import { HEADINGS } from './master-text.ts';
import { replacementsIn } from './replaced.ts';
import { codeNames, isTalk } from './statement.ts';
import { GENERAL, sharedTopics, themesOf, unifyTopics, wordsOfPaths, wordsOfTexts } from './theme.ts';

const STATUS_SESSIONS = 3;
/** Commits that make up the status if there is no session. */
const STATUS_COMMITS = 2;
/** Open ends of older sessions are no longer questions; unapproved summaries count for fewer sessions. */
const RECENT_SESSIONS = 10;
const RECENT_UNAPPROVED = 3;
const MOST_DRIFT = 5;
const TOO_MANY_NAMES = 2;
/** Changes that make a theme if there are many themes. */
const FEWEST_CHANGES = 3;
const FEW_THEMES = 4;
/** A single change needs no theme. */
const FEW_CHANGES = 2;
/** Most items of each section. */
const MOST_ITEMS: Readonly<Record<MasterSection, number>> = { status: 20, decisions: 28, learnings: 28, evolution: 18, questions: 10 };
const MOST_AUTOMATIC = 16;
/** Least worth of items that a person saved or approved. */
const SAVED_WORTH = 1.5;

/** Worth of an item that another line refers to, so that it is not omitted. */
const POINTED_AT_WORTH = 3;
const headingOf = (section: MasterSection): string => HEADINGS.find(([name]) => name === section)?.[1] ?? '';

export const isActiveRecord = ({ record_status }: MemoryRecord): boolean => (record_status ?? 'active') === 'active';

const day = (at: number): string => utcSeconds(at).slice(0, 10);

/** One line of changes for each theme, without changes that other sections list. */
function historyItems(changes: readonly Item[], listed: readonly Item[], names: ReadonlyMap<string, string>, introduced: string): Item[] {
  const namesIn = ({ text }: Item): number => codeNames(text, introduced);
  const distinct = new Set(withoutRepeats([...listed, ...changes]));
  // Sort commits with code names last, so that another commit of the same change is preferred.
  const plain = changes.filter((change) => distinct.has(change) && namesIn(change) < TOO_MANY_NAMES).toSorted((a, b) => namesIn(a) - namesIn(b));
  const telling = plain.filter(({ worth = 0 }) => worth > 0);
  const plainest = telling.length > 0 ? telling : plain;
  const replacements = listed.filter(isReplacement);
  const remaining = withoutSteps([...replacements, ...plainest]).filter((item) => !replacements.includes(item));
  const themes = themesOf(remaining, remaining.length < FEW_CHANGES ? new Set() : sharedTopics([...listed, ...remaining]), names);
  const large = themes.filter(({ name, items }) => name !== GENERAL && (items.length >= FEWEST_CHANGES || themes.length <= FEW_THEMES));
  const rest = themes.filter((theme) => !large.includes(theme)).flatMap(({ items }) => items);
  return [...large, { name: large.length === 0 ? 'Changes' : GENERAL, items: rest }].flatMap(({ name, items }) => historyLine(name, items, day) ?? []);
}

/** All candidate items for the master, without repeats, and the display names of their themes. */
export function masterItems(
  gathered: SynthesisInput,
  old: readonly Item[],
  drift: readonly Item[],
): { readonly items: readonly Item[]; readonly names: ReadonlyMap<string, string> } {
  const { summaries, fresh, records, docs, work, state } = gathered;
  const known = new Set(fresh.map(refOf));
  // Records and the given summaries are read again, so keep only the old master's items from other summaries and from a person.
  const isCarriedOver = ({ section, ref }: Item): boolean => section !== 'status' && (ref === '' || (isSessionRef(ref) && !known.has(ref)));
  const replaced = successors(records);
  const latest = summaries.slice(0, STATUS_SESSIONS);
  const isRecent = (record: (typeof summaries)[number]): boolean =>
    summaries.indexOf(record) < (isAutomaticSummary(record) ? RECENT_UNAPPROVED : RECENT_SESSIONS);
  const commits = [...gathered.commits, ...summaries.flatMap(commitsOfSummary)];
  const introduced = state.introductions.map(({ text }) => text).join('\n');
  const changes = commitChanges(commits, introduced);
  const rulesBesideRecords = onePerChange(changes);
  const reverted = revertedNames(commits);
  const texts = [...changes.filter(({ isFix }) => !isFix).map(({ what, at }) => ({ text: what, at, ref: 'commits' })), ...fresh.flatMap(decisionsIn)];
  const distinctItems = withoutRepeats([
    ...work,
    ...old.filter(isCarriedOver),
    ...records.filter((record) => isActiveRecord(record) && !replaced.has(record)).flatMap((record) => itemOfRecord(record) ?? []),
    ...rulesBesideRecords.flatMap(({ item }) => item ?? []),
    ...openTodos(commits),
    ...fresh.flatMap((record) => itemsOfSummary(record, { isRecent: isRecent(record), changes, reverted })),
    ...evolutionOf(records),
    ...replacementsIn(texts),
    ...docs,
    ...latest.map((record, at) => statusItem(record, at === 0)),
    ...(latest.length === 0
      ? changes
          .filter(({ what }) => codeNames(what, introduced) < TOO_MANY_NAMES)
          .slice(0, STATUS_COMMITS)
          .map(committed)
      : []),
  ]);
  const best = bestOfEachSection(distinctItems);
  const placeOf = (what: string): Item | undefined =>
    best.find(({ section, text }) => (section === 'decisions' || section === 'learnings') && text.startsWith(`${masterLine(what, LONGEST_CHANGE)} – `));
  const pointedAt = new Set<Item>();
  const listedItems = best
    .map((item): Item => {
      const record = item.section === 'status' ? latest.find((one) => refOf(one) === item.ref) : undefined;
      if (record === undefined) return item;
      return statusItem(record, record === latest[0], (what) => {
        const listed = placeOf(what);
        if (listed !== undefined) pointedAt.add(listed);
        return listed && `${headingOf(listed.section)}${/^commit [0-9a-f]{7,}$/.test(listed.ref) ? ` (${listed.ref})` : ''}`;
      });
    })
    .map((item) => (pointedAt.has(item) ? { ...item, worth: POINTED_AT_WORTH } : item));
  const about = gathered.scope === undefined ? aboutProject(state) : [];
  const isStatus = ({ section }: Item): boolean => section === 'status';
  const fallbackStatus = listedItems.some(isStatus) || about.length > 0 || latest[0] === undefined ? [] : [lastOutcome(latest[0])];
  const mainItems = [
    ...about,
    ...listedItems.filter(isStatus),
    ...fallbackStatus,
    ...drift.slice(0, MOST_DRIFT),
    ...listedItems.filter((item) => !isStatus(item)),
  ];
  const isShown = ({ what }: CommitChange): boolean => listedItems.some(({ text }) => text.includes(masterLine(what, SUBJECT)));
  const otherChanges = rulesBesideRecords
    .filter((change) => !isShown(change))
    .map((change, at): Item => ({
      section: 'evolution',
      text: change.what,
      ref: `change ${at}`,
      at: change.at,
      topics: change.topics,
      files: [],
      worth: change.worth,
    }));
  const all = [...mainItems, ...otherChanges];
  const subjects = all.map(({ text }) => text.split(' – ')[0] ?? text);
  const { items: filed, names } = unifyTopics(all, [...wordsOfPaths(state.files), ...wordsOfTexts(subjects, state.files, introduced)], introduced);
  const items = filed.slice(0, mainItems.length);
  // Exclude the project's introduction, which is not a change.
  const listed = items.filter((item) => !about.some(({ text }) => text === item.text));
  return { items: [...items, ...historyItems(filed.slice(mainItems.length), listed, names, introduced)], names };
}

/** A status line for a last session whose changes are all listed elsewhere. */
const lastOutcome = (record: SynthesisInput['summaries'][number]): Item => ({
  section: 'status',
  text: `The last session ended in ${record.content.outcome}; what it did stands below`,
  ref: refOf(record),
  at: epochOf(record.created_at) ?? 0,
  topics: [],
  files: [],
});

const committed = ({ what, at, ref }: CommitChange): Item => ({ section: 'status', text: masterLine(`Committed: ${what}`), ref, at, topics: [], files: [] });

const decisionsIn = (record: SynthesisInput['summaries'][number]): { readonly text: string; readonly at: number; readonly ref: string }[] =>
  (record.content.tracking_points ?? [])
    .filter(({ label, text }) => /decision|decided|chose/i.test(label) && !isTalk(text))
    .map(({ text }) => ({ text, at: Date.parse(record.created_at) || 0, ref: refOf(record) }));

/** The best items of each section in their original order; text that a person wrote always stays. */
function bestOfEachSection(items: readonly Item[]): Item[] {
  const best = new Set<Item>();
  for (const section of Object.keys(MOST_ITEMS) as MasterSection[])
    for (const [place, item] of items
      .filter((one) => one.section === section)
      .toSorted((a, b) => Number(b.ref === '') - Number(a.ref === '') || (b.worth ?? 0) - (a.worth ?? 0) || b.at - a.at)
      .slice(0, MOST_ITEMS[section])
      .entries())
      if (place < MOST_AUTOMATIC || (item.worth ?? 0) >= SAVED_WORTH) best.add(item);
  return items.filter((item) => best.has(item) || item.ref === '');
}
