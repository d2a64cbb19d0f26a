import { slugify } from '../../core/project/slug.ts';
import { analyze } from '../text/analyze.ts';

/** A sentence that may be a rule, as it was typed once. */
export interface TypedRuleUse {
  readonly text: string;
  readonly weight: number;
  /** Its session, by how many came after it. */
  readonly newer: number;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** A rule that holds: in the words in which it was last said. */
export interface HeldRule {
  readonly text: string;
  /** When it was last said. */
  readonly at: number;
  /** Sessions in which it was said. */
  readonly times: number;
  readonly points: number;
}

const LONGEST_ID = 48;

/** A rule that is no record is known by its words. */
export const ruleId = (text: string): string => `rule:${(slugify(text) || text).slice(0, LONGEST_ID)}`;

/** Sessions after which a rule that was not said again counts half as much; but never less than this share. */
const HALF_LIFE = 20;
const OLD_SHARE = 0.3;
/** For each further session in which it was said, up to three. */
const SAID_AGAIN = 0.3;
const MOST_AGAIN = 3;
/** Points below which a rule is not worth a line. */
const LEAST = 0.8;
/** Share of the smaller one's terms from which two sentences say the same. */
const SAME = 0.7;
const ALSO = 0.6;
/** Words with which a sentence forbids. */
export const NEGATED = /\b(?:don'?t|do not|never|no longer|stop|avoid|without|not)\b/i;

interface Read extends TypedRuleUse {
  readonly terms: ReadonlySet<string>;
  readonly isBan: boolean;
}

/** The rules that hold, the surest first: each once, with how often it was said. A later sentence that says the opposite withdraws an earlier one. */
export function heldRules(said: readonly TypedRuleUse[]): readonly HeldRule[] {
  const read = onceEach(said).map((rule) => ({ ...rule, terms: new Set(analyze(rule.text)), isBan: NEGATED.test(rule.text) }));
  const scored = read
    .map((rule) => ({ rule, times: timesOf(rule, read) }))
    .map(({ rule, times }) => ({ rule, times, points: (rule.weight + SAID_AGAIN * Math.min(MOST_AGAIN, times - 1)) * freshness(rule.newer) }))
    .filter(({ rule, points }) => points >= LEAST && !read.some((other) => withdraws(other, rule)))
    .toSorted((a, b) => b.points - a.points || a.rule.newer - b.rule.newer);
  const held: { readonly rule: Read; readonly times: number; readonly points: number }[] = [];
  for (const one of scored) if (!held.some(({ rule }) => overlap(rule.terms, one.rule.terms) >= SAME)) held.push(one);
  return held.map(({ rule: { text, at }, times, points }) => ({ text, at, times, points }));
}

/** A session that was forked repeats its messages, with their times: of such copies the one of the newest session stays. */
const onceEach = (said: readonly TypedRuleUse[]): readonly TypedRuleUse[] => [
  ...new Map(said.toSorted((a, b) => b.newer - a.newer).map((use) => [use.at + use.text, use])).values(),
];

const freshness = (newer: number): number => OLD_SHARE + (1 - OLD_SHARE) * 2 ** (-newer / HALF_LIFE);

/** Sessions that said it, or what holds most of it. */
function timesOf(rule: Read, all: readonly Read[]): number {
  const sessions = new Set<number>([rule.newer]);
  for (const other of all) if (!sessions.has(other.newer) && share(rule.terms, other.terms) >= ALSO) sessions.add(other.newer);
  return sessions.size;
}

const withdraws = (later: Read, earlier: Read): boolean =>
  later.at > earlier.at && later.isBan !== earlier.isBan && overlap(later.terms, earlier.terms) >= SAME;

function common(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let count = 0;
  for (const term of a) if (b.has(term)) count++;
  return count;
}

/** Whether a text says a rule: most of its words, and forbids where the rule does. */
export const saysRule = (text: string, rule: string): boolean =>
  NEGATED.test(text) === NEGATED.test(rule) && share(new Set(analyze(rule)), new Set(analyze(text))) >= SAME;

const overlap = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => common(a, b) / Math.max(1, Math.min(a.size, b.size));

/** Two terms at least, and this share of those of the first. */
function share(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const count = common(a, b);
  return count < 2 ? 0 : count / a.size;
}
