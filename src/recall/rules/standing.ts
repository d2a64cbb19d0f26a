import { analyze } from '../text/analyze.ts';

/** A sentence that may be a rule, as it was typed once. */
export interface TypedRuleUse {
  readonly text: string;
  readonly weight: number;
  /** How many sessions came after its own. */
  readonly newer: number;
  /** When its session began, epoch milliseconds. A fork or a resumed copy has the time of its original. */
  readonly began?: number;
  /** It names a way of working, perhaps for that time only. */
  readonly isOnce?: boolean;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** A rule that still applies, in the words in which it was last typed. */
export interface RuleInForce {
  readonly text: string;
  /** When it was last typed, epoch milliseconds. */
  readonly at: number;
  /** Number of sessions in which it was typed; a session and its copies count as one. */
  readonly times: number;
  readonly points: number;
  readonly isOnce: boolean;
}

/** The id of a rule without a record: a digest of its terms, which identifies it after its text was forgotten. */
export function ruleId(text: string): string {
  const terms = [...termsOf(text)].toSorted();
  let [one, two] = [0x811c9dc5, 0x01000193];
  for (const letter of `${NEGATED.test(text) ? '!' : ''}${terms.join(' ') || text}`) {
    const code = letter.codePointAt(0) as number;
    one = Math.imul(one ^ code, 0x01000193);
    two = Math.imul(two ^ code, 0x85ebca6b);
  }
  return `rule:${[one, two].map((part) => (part >>> 0).toString(36).padStart(7, '0').slice(-5)).join('')}`;
}

/** Terms that only introduce a request. */
const FILLERS: ReadonlySet<string> = new Set(analyze('ok okay yes yeah yep please also then now just so and'));

export const termsOf = (text: string): ReadonlySet<string> => new Set(analyze(text).filter((term) => !FILLERS.has(term)));

/** Whether two sentences have the same meaning: one contains most terms of the other, and little else. */
export function saysSame(text: string, other: string): boolean {
  if (NEGATED.test(text) !== NEGATED.test(other)) return false;
  const [terms, others] = [termsOf(text), termsOf(other)];
  return hasShare(terms, others, HALF) && hasShare(others, terms, HALF) && (hasShare(terms, others, SAME_SHARE) || hasShare(others, terms, SAME_SHARE));
}

/** A rule loses half of its points after this many sessions without a repetition, but never drops below the old share. */
const HALF_LIFE = 20;
const OLD_SHARE = 0.3;
/** Points for each further session in which it was typed. */
const REPETITION = 0.3;
const MOST_AGAIN = 3;
/** A rule with fewer points is not shown. */
const LEAST = 0.8;
/** Two sentences mean the same from this share of the shorter one's terms. */
const SAME_SHARE = 0.7;
/** Each of two sentences with the same meaning has at least this share of the other's terms. */
const HALF = 0.5;
/** A sentence repeats a rule if it has this share of the rule's terms. */
const REPEATED_SHARE = 0.9;
/** A sentence that is no rule needs this many terms to withdraw one. */
const LEAST_OPPOSING = 3;
/** A sentence that repeats a rule has at least this share of its own terms in common with it. */
const LITTLE_ELSE = 0.65;
/** Words with which a sentence forbids. */
export const NEGATED = /\b(?:don'?t|do not|never|no longer|stop|avoid|without|not)\b/i;

interface AnalysedRule extends TypedRuleUse {
  readonly terms: ReadonlySet<string>;
  readonly isBan: boolean;
}

const analysed = (rule: TypedRuleUse): AnalysedRule => ({ ...rule, terms: termsOf(rule.text), isBan: NEGATED.test(rule.text) });

/**
 * The rules that still apply, strongest first, each once, with the number of sessions in `all` that repeat it. A later sentence with the opposite meaning
 * withdraws an earlier rule.
 */
export function rulesInForce(uses: readonly TypedRuleUse[], all: readonly TypedRuleUse[] = uses): readonly RuleInForce[] {
  const analysedUses = onceEach(uses).map(analysed);
  const counted = all === uses ? analysedUses : all.map(analysed);
  const opposing = counted === analysedUses ? analysedUses : [...analysedUses, ...counted.filter(({ terms }) => terms.size >= LEAST_OPPOSING)];
  const scored = analysedUses
    .map((rule) => ({ rule, times: countSessions(rule, counted) }))
    .map(({ rule, times }) => ({ rule, times, points: (rule.weight + REPETITION * Math.min(MOST_AGAIN, times - 1)) * freshness(rule.newer) }))
    .filter(({ rule, points }) => points >= LEAST && !opposing.some((other) => withdraws(other, rule)))
    .toSorted((a, b) => Number(a.rule.isOnce ?? false) - Number(b.rule.isOnce ?? false) || b.points - a.points || a.rule.newer - b.rule.newer);
  const chosen: { readonly rule: AnalysedRule; readonly times: number; readonly points: number }[] = [];
  for (const one of scored) if (!chosen.some(({ rule }) => overlap(rule.terms, one.rule.terms) >= SAME_SHARE)) chosen.push(one);
  return chosen.map(({ rule: { text, at, isOnce = false }, times, points }) => ({ text, at, times, points, isOnce }));
}

/** A user who abandons a session at once begins another with the same prompt. */
const BEGUN_AGAIN_MS = 3_600_000;

/** A forked session repeats messages with their times, and one begun anew repeats its prompt; only the newest session's copy counts. */
export function onceEach(uses: readonly TypedRuleUse[]): readonly TypedRuleUse[] {
  const once: TypedRuleUse[] = [];
  const lastOf = new Map<string, number>();
  for (const use of uses.toSorted((a, b) => a.at - b.at || b.newer - a.newer)) {
    const last = lastOf.get(use.text);
    const before = last === undefined ? undefined : once[last];
    if (last !== undefined && before !== undefined && use.at - before.at <= BEGUN_AGAIN_MS) once[last] = use.newer <= before.newer ? use : before;
    else lastOf.set(use.text, once.push(use) - 1);
  }
  return once;
}

const freshness = (newer: number): number => OLD_SHARE + (1 - OLD_SHARE) * 2 ** (-newer / HALF_LIFE);

/** The same number for a session and its copies. */
export const sessionOf = ({ began, newer }: TypedRuleUse): number => began ?? -1 - newer;

/** Number of sessions with the rule, or with a sentence that repeats it. */
function countSessions(rule: AnalysedRule, all: readonly AnalysedRule[]): number {
  const sessions = new Set<number>([sessionOf(rule)]);
  for (const other of all)
    if (
      !sessions.has(sessionOf(other)) &&
      rule.isBan === other.isBan &&
      hasShare(rule.terms, other.terms, REPEATED_SHARE) &&
      hasShare(other.terms, rule.terms, LITTLE_ELSE)
    )
      sessions.add(sessionOf(other));
  return sessions.size;
}

const withdraws = (later: AnalysedRule, earlier: AnalysedRule): boolean =>
  later.at > earlier.at && later.isBan !== earlier.isBan && overlap(later.terms, earlier.terms) >= SAME_SHARE;

function common(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let count = 0;
  for (const term of a) if (b.has(term)) count++;
  return count;
}

/** Whether a text states a rule: it contains most of the rule's terms, and forbids if the rule does. */
export const saysRule = (text: string, rule: string): boolean =>
  NEGATED.test(text) === NEGATED.test(rule) && hasShare(new Set(analyze(rule)), new Set(analyze(text)), SAME_SHARE);

const overlap = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => common(a, b) / Math.max(1, Math.min(a.size, b.size));

/** Whether a set has two of the terms at least, and so large a share of them. */
export function hasShare(terms: ReadonlySet<string>, of: ReadonlySet<string>, least: number): boolean {
  let missing = terms.size - Math.max(2, Math.ceil(least * terms.size));
  if (missing < 0) return false;
  for (const term of terms) if (!of.has(term) && --missing < 0) return false;
  return true;
}
