import { slugify } from '../../core/project/slug.ts';
import { analyze } from '../text/analyze.ts';

/** A sentence that may be a rule, as it was typed once. */
export interface TypedRuleUse {
  readonly text: string;
  readonly weight: number;
  /** How many sessions came after its own. */
  readonly newer: number;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** A rule that still applies, in the words in which it was last typed. */
export interface RuleInForce {
  readonly text: string;
  /** When it was last typed, epoch milliseconds. */
  readonly at: number;
  /** Number of sessions in which it was typed. */
  readonly times: number;
  readonly points: number;
}

const LONGEST_ID = 48;

/** The id of a rule that has no record, made from its words. */
export const ruleId = (text: string): string => `rule:${(slugify(text) || text).slice(0, LONGEST_ID)}`;

/** A rule loses half of its points after this many sessions without a repetition, but never drops below the old share. */
const HALF_LIFE = 20;
const OLD_SHARE = 0.3;
/** Points for each further session in which it was typed. */
const REPETITION = 0.3;
const MOST_AGAIN = 3;
/** A rule with fewer points is not shown. */
const LEAST = 0.8;
/** Two sentences mean the same from this share of the shorter one's terms; a sentence repeats a rule from the second share of the rule's terms. */
const SAME_SHARE = 0.7;
const REPEATED_SHARE = 0.6;
/** Words with which a sentence forbids. */
export const NEGATED = /\b(?:don'?t|do not|never|no longer|stop|avoid|without|not)\b/i;

interface AnalysedRule extends TypedRuleUse {
  readonly terms: ReadonlySet<string>;
  readonly isBan: boolean;
}

/** The rules that still apply, strongest first, each once. A later sentence with the opposite meaning withdraws an earlier rule. */
export function rulesInForce(uses: readonly TypedRuleUse[]): readonly RuleInForce[] {
  const analysed = unforked(uses).map((rule) => ({ ...rule, terms: new Set(analyze(rule.text)), isBan: NEGATED.test(rule.text) }));
  const scored = analysed
    .map((rule) => ({ rule, times: countSessions(rule, analysed) }))
    .map(({ rule, times }) => ({ rule, times, points: (rule.weight + REPETITION * Math.min(MOST_AGAIN, times - 1)) * freshness(rule.newer) }))
    .filter(({ rule, points }) => points >= LEAST && !analysed.some((other) => withdraws(other, rule)))
    .toSorted((a, b) => b.points - a.points || a.rule.newer - b.rule.newer);
  const chosen: { readonly rule: AnalysedRule; readonly times: number; readonly points: number }[] = [];
  for (const one of scored) if (!chosen.some(({ rule }) => overlap(rule.terms, one.rule.terms) >= SAME_SHARE)) chosen.push(one);
  return chosen.map(({ rule: { text, at }, times, points }) => ({ text, at, times, points }));
}

/** A forked session repeats messages with their times; only the newest session's copy counts. */
const unforked = (uses: readonly TypedRuleUse[]): readonly TypedRuleUse[] => [
  ...new Map(uses.toSorted((a, b) => b.newer - a.newer).map((use) => [use.at + use.text, use])).values(),
];

const freshness = (newer: number): number => OLD_SHARE + (1 - OLD_SHARE) * 2 ** (-newer / HALF_LIFE);

/** Number of sessions with the rule, or with a sentence that contains most of it. */
function countSessions(rule: AnalysedRule, all: readonly AnalysedRule[]): number {
  const sessions = new Set<number>([rule.newer]);
  for (const other of all) if (!sessions.has(other.newer) && share(rule.terms, other.terms) >= REPEATED_SHARE) sessions.add(other.newer);
  return sessions.size;
}

const withdraws = (later: AnalysedRule, earlier: AnalysedRule): boolean =>
  later.at > earlier.at && later.isBan !== earlier.isBan && overlap(later.terms, earlier.terms) >= SAME_SHARE;

function common(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let count = 0;
  for (const term of a) if (b.has(term)) count++;
  return count;
}

/** Whether a text states a rule: it has most of its words, and forbids if the rule forbids. */
export const saysRule = (text: string, rule: string): boolean =>
  NEGATED.test(text) === NEGATED.test(rule) && share(new Set(analyze(rule)), new Set(analyze(text))) >= SAME_SHARE;

const overlap = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => common(a, b) / Math.max(1, Math.min(a.size, b.size));

/** The share of the first set that the second contains; 0 below two shared terms. */
function share(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const count = common(a, b);
  return count < 2 ? 0 : count / a.size;
}
