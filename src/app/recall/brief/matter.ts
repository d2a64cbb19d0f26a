import { daysInMs, epochOf } from '../../../core/instant.ts';
import type { ItemFacts } from '../../../core/ports/index.ts';
import type { Reception } from '../../../core/ports/injection-log.ts';
import { useValue } from '../../../core/use/item-use.ts';
import { once } from '../../../core/value.ts';
import type { Category } from '../../../core/record/category.ts';
import { analyze, filesAbout } from '../../../recall/text/analyze.ts';
import { recallLine } from '../../../recall/inject/entry.ts';
import type { Memory } from '../../memory/memory.ts';
import type { RecallContext } from '../recall-context.ts';
import { isForeign, recordName, readEntry } from '../entry.ts';
import type { BriefItem } from './items.ts';

/** Points for each sign that a record matters now. */
const POINTS = { open: 3, changedVeryRecently: 3, changedRecently: 1, branch: 2.5, fresh: 1.5, confirmed: 0.5, feedback: 0.5, use: 1 } as const;
const VERY_RECENT_MS = daysInMs(7);
const RECENT_MS = daysInMs(30);
const MAX_READ = 6;
/** Records saved on purpose alternate with saved preferences, before quoted prompts; a draft that waits for the user comes after them. */
const SAVED_RANK = 2.6;
/** A record of the repository may have been written by anyone who can push. */
const isSaved = ({ waits, root }: ItemFacts): boolean => waits !== true && !isForeign(root);
/** Limits on the records that are scored, so that a brief costs the same in every memory. */
const MAX_SCORED = 120;
const MAX_ABOUT_BRANCH = 40;
const SECTIONS: Readonly<Partial<Record<Category, string>>> = { constraint: '## Constraints', decision: '## Decisions', tech_debt: '## Open debt' };
const MAX_DEBT = 1;
/** Words of a branch name that do not say what the branch is about. */
const branchWords = once(
  () => new Set(analyze('feature feat fix bugfix hotfix chore docs release main master develop dev trunk wip tmp test refactor task issue user')),
);

interface ScoredItem {
  readonly item: ItemFacts;
  readonly points: number;
}

/** The newest records of each category, and records about the branch. */
function candidates({ index }: Memory, branch: readonly string[]): readonly ItemFacts[] {
  const categories = Object.keys(SECTIONS) as Category[];
  const newest = categories.flatMap((category) => index.recent({ kind: 'record', status: 'active', category }, MAX_SCORED));
  const about = branch.length === 0 ? [] : index.search(branch, { kind: 'record', status: 'active' }, MAX_ABOUT_BRANCH).map(({ item }) => item);
  if (about.length === 0) return newest;
  const all = [...newest, ...about.filter(({ category }) => category !== undefined && SECTIONS[category] !== undefined)];
  return [...new Map(all.map((item) => [`${item.root}/${item.path}`, item])).values()];
}

/** Decisions, constraints and debt about the current branch and files, or else the newest and most trusted. */
export async function matterItems(memory: Memory, recallContext: RecallContext): Promise<readonly BriefItem[]> {
  const branch = [...new Set(analyze(recallContext.branch ?? ''))].filter((term) => !branchWords().has(term) && !/^\d+$/.test(term));
  const open = candidates(memory, branch).filter(({ trust, supersededBy }) => trust !== 'quarantined' && supersededBy === undefined);
  const received = recallContext.log.receptionOf(open.map(recordName));
  const items = open.filter((item) => (received.get(recordName(item))?.feedback ?? 0) >= 0);
  const by: ScoringContext = { recallContext, now: memory.now(), branch, received };
  const scored = items.map((item) => ({ item, points: sum(pointsOf(item, by)) })).toSorted(byPoints);
  const debt = new Set(scored.filter(({ item }) => item.category === 'tech_debt').slice(MAX_DEBT));
  const best = scored.filter((one) => !debt.has(one)).slice(0, MAX_READ);
  const briefItems = new Map<ScoredItem, BriefItem>();
  for (const [at, one] of best.entries()) {
    const line = await briefItem(memory, by, one.item, isSaved(one.item) ? SAVED_RANK + at / 5 : 10 + 2 * at);
    if (line) briefItems.set(one, line);
  }
  // Sorted by category and age, not by points: then a touched file does not change the order, which would invalidate the client's prompt cache.
  return [...briefItems].toSorted(([a], [b]) => byAge(a.item, b.item)).map(([, line]) => line);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const byPoints = (a: ScoredItem, b: ScoredItem): number =>
  b.points - a.points || compare(b.item.updatedAt, a.item.updatedAt) || compare(a.item.path, b.item.path);
const ORDER = Object.keys(SECTIONS);
const byAge = (a: ItemFacts, b: ItemFacts): number =>
  ORDER.indexOf(a.category ?? '') - ORDER.indexOf(b.category ?? '') || compare(a.createdAt, b.createdAt) || compare(a.path, b.path);

interface ScoringContext {
  readonly recallContext: RecallContext;
  /** One instant for all records. */
  readonly now: number;
  readonly branch: readonly string[];
  readonly received: ReadonlyMap<string, Reception>;
}

/** The points of a record: its file is open or was changed, the branch, its age, its trust, its feedback. */
function pointsOf(item: ItemFacts, { recallContext: { changedAt, open = [] }, now, branch, received }: ScoringContext): readonly number[] {
  const touched = item.files.length === 0 ? 0 : Math.max(0, ...item.files.map((file) => changedAt(file) ?? 0));
  const known = received.size === 0 ? undefined : received.get(recordName(item));
  const age = now - (epochOf(item.updatedAt) ?? 0);
  return [
    open.length > 0 && filesAbout(open, item.files).length > 0 ? POINTS.open : 0,
    now - touched < VERY_RECENT_MS ? POINTS.changedVeryRecently : now - touched < RECENT_MS ? POINTS.changedRecently : 0,
    branch.length === 0 ? 0 : (POINTS.branch * sharedWith(item, branch).length) / branch.length,
    POINTS.fresh * Math.exp(-Math.max(0, age) / RECENT_MS),
    item.trust === 'confirmed' ? POINTS.confirmed : 0,
    ...(known === undefined ? [0, 0] : [POINTS.feedback * Math.max(-2, Math.min(2, known.feedback)), POINTS.use * useValue(recordName(item), known.use)]),
  ];
}

const sum = (parts: readonly number[]): number => parts.reduce((points, part) => points + part, 0);

function sharedWith(item: ItemFacts, branch: readonly string[]): readonly string[] {
  const terms = new Set(analyze(`${item.title} ${item.tags.join(' ')} ${item.files.join(' ')}`));
  return branch.filter((term) => terms.has(term));
}

/** In the order of the points; the reason for the branch names the words. */
const REASONS = ['about a file open in the work', 'about a file changed lately', 'about the branch: ', 'new', 'confirmed', 'found useful', 'used before'];
const BRANCH = 2;

function reasonFor(item: ItemFacts, by: ScoringContext): string {
  const positive = pointsOf(item, by).flatMap((points, at) => (points > 0.1 ? [at] : []));
  return positive.map((at) => (at === BRANCH ? `${REASONS[at]}${sharedWith(item, by.branch).join(', ')}` : REASONS[at])).join('; ') || 'in use';
}

async function briefItem(memory: Memory, by: ScoringContext, item: ItemFacts, rank: number): Promise<BriefItem | undefined> {
  const read = await readEntry(memory, item, by.recallContext);
  const section = item.category && SECTIONS[item.category];
  if (!read || section === undefined) return undefined;
  return { line: { ...recallLine(read.entry), section, rank }, title: item.title, updatedAt: item.updatedAt, reason: reasonFor(item, by) };
}
