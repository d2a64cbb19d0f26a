import { daysInMs, epochOf } from '../../../core/instant.ts';
import type { ItemFacts } from '../../../core/ports/index.ts';
import { once } from '../../../core/once.ts';
import type { Category } from '../../../core/record/category.ts';
import { analyze } from '../../../recall/analyze.ts';
import { filesAbout } from '../../../recall/rank/same-file.ts';
import { entryLine } from '../../../recall/inject/entry.ts';
import type { Memory } from '../../memory/memory.ts';
import type { Bearings } from '../bearings.ts';
import { nameOf, readEntry } from '../entry.ts';
import type { Piece } from './piece.ts';

/** What makes a record matter now, in points. */
const POINTS = { open: 3, changedNow: 3, changedLately: 1, branch: 2.5, fresh: 1.5, confirmed: 0.5, feedback: 0.5 } as const;
const NOW_MS = daysInMs(7);
const LATELY_MS = daysInMs(30);
const READ_AT_MOST = 16;
/** Newest records of a category that are weighed, and records about the branch: a brief costs the same in every memory. */
const LOOKED_AT = 120;
const ABOUT_BRANCH = 40;
const SECTIONS: Readonly<Partial<Record<Category, string>>> = { constraint: '## Constraints', decision: '## Decisions', tech_debt: '## Open debt' };
const DEBT_AT_MOST = 3;
/** Words that say what a branch is for, not what it is about. */
const branchWords = once(
  () => new Set(analyze('feature feat fix bugfix hotfix chore docs release main master develop dev trunk wip tmp test refactor task issue user')),
);

interface Scored {
  readonly item: ItemFacts;
  readonly points: number;
  readonly reason: string;
}

const NO_TERMS: ReadonlySet<string> = new Set();

/** The newest of each kind, and whatever is about the branch. */
function candidates({ index }: Memory, branch: readonly string[]): readonly ItemFacts[] {
  const categories = Object.keys(SECTIONS) as Category[];
  const newest = categories.flatMap((category) => index.recent({ kind: 'record', status: 'active', category }, LOOKED_AT));
  const about = branch.length === 0 ? [] : index.search(branch, { kind: 'record', status: 'active' }, ABOUT_BRANCH).map(({ item }) => item);
  const all = [...newest, ...about.filter(({ category }) => category !== undefined && SECTIONS[category] !== undefined)];
  return [...new Map(all.map((item) => [`${item.root}/${item.path}`, item])).values()];
}

/** Decisions and constraints that matter for the branch and the files at hand, the newest and surest otherwise. */
export async function matterPieces(memory: Memory, bearings: Bearings): Promise<readonly Piece[]> {
  const branch = [...new Set(analyze(bearings.branch ?? ''))].filter((term) => !branchWords().has(term) && !/^\d+$/.test(term));
  const items = candidates(memory, branch).filter(({ trust, supersededBy }) => trust !== 'quarantined' && supersededBy === undefined);
  const feedback = bearings.log.feedbackOf(items.map(nameOf));
  const now = memory.now();
  const scored = items.map((item) => score(bearings, item, { now, branch, feedback: feedback.get(nameOf(item)) ?? 0 })).toSorted(byPoints);
  const debt = new Set(scored.filter(({ item }) => item.category === 'tech_debt').slice(DEBT_AT_MOST));
  const best = scored.filter((one) => !debt.has(one)).slice(0, READ_AT_MOST);
  const pieces = new Map<Scored, Piece>();
  for (const [at, one] of best.entries()) {
    const piece = await pieceOf(memory, bearings, one, 10 + 2 * at);
    if (piece) pieces.set(one, piece);
  }
  // Shown by kind and age, not by points: the order stays when a file is touched, and so does the client's prompt cache.
  return [...pieces].toSorted(([a], [b]) => byAge(a.item, b.item)).map(([, piece]) => piece);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const byPoints = (a: Scored, b: Scored): number => b.points - a.points || compare(b.item.updatedAt, a.item.updatedAt) || compare(a.item.path, b.item.path);
const ORDER = Object.keys(SECTIONS);
const byAge = (a: ItemFacts, b: ItemFacts): number =>
  ORDER.indexOf(a.category ?? '') - ORDER.indexOf(b.category ?? '') || compare(a.createdAt, b.createdAt) || compare(a.path, b.path);

interface ScoredBy {
  /** One moment for all: what is equally new must be so. */
  readonly now: number;
  readonly branch: readonly string[];
  readonly feedback: number;
}

function score({ changedAt, open = [] }: Bearings, item: ItemFacts, { now, branch, feedback }: ScoredBy): Scored {
  const touched = Math.max(0, ...item.files.map((file) => changedAt(file) ?? 0));
  const age = now - (epochOf(item.updatedAt) ?? 0);
  const terms = branch.length === 0 ? NO_TERMS : new Set(analyze(`${item.title} ${item.tags.join(' ')} ${item.files.join(' ')}`));
  const shared = branch.filter((term) => terms.has(term));
  const parts: readonly (readonly [number, string])[] = [
    [filesAbout(open, item.files).length > 0 ? POINTS.open : 0, 'about a file open in the work'],
    [now - touched < NOW_MS ? POINTS.changedNow : now - touched < LATELY_MS ? POINTS.changedLately : 0, 'about a file changed lately'],
    [branch.length === 0 ? 0 : (POINTS.branch * shared.length) / branch.length, `about the branch: ${shared.join(', ')}`],
    [POINTS.fresh * Math.exp(-Math.max(0, age) / LATELY_MS), 'new'],
    [item.trust === 'confirmed' ? POINTS.confirmed : 0, 'confirmed'],
    [POINTS.feedback * Math.max(-2, Math.min(2, feedback)), 'found useful'],
  ];
  const reasons = parts.filter(([points]) => points > 0.1).map(([, reason]) => reason);
  return { item, points: parts.reduce((sum, [points]) => sum + points, 0), reason: reasons.join('; ') || 'in use' };
}

async function pieceOf(memory: Memory, bearings: Bearings, { item, reason }: Scored, rank: number): Promise<Piece | undefined> {
  const read = await readEntry(memory, item, bearings);
  const section = item.category && SECTIONS[item.category];
  if (!read || section === undefined) return undefined;
  return { line: { ...entryLine(read.entry), section, rank }, title: item.title, updatedAt: item.updatedAt, reason };
}
