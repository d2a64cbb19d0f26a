import { analyze } from '../text/analyze.ts';

/** A sentence that may be a rule, as it was typed once. */
export interface TypedRuleUse {
  readonly text: string;
  readonly weight: number;
  /** Its session, by how many came after it. */
  readonly newer: number;
  /** When its session began, epoch milliseconds: a fork or a resumed copy began with the session it was made of. */
  readonly began?: number;
  /** It names a way of working, but nothing says that it was meant for more than that time. */
  readonly isOnce?: boolean;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** A rule that holds: in the words in which it was last said. */
export interface HeldRule {
  readonly text: string;
  /** When it was last said. */
  readonly at: number;
  /** Sessions that said the same; a session and its copies are one. */
  readonly times: number;
  readonly points: number;
  readonly isOnce: boolean;
}

/** A rule that is no record is known by a digest of its terms, which does not hold its text: it stays known when the text is forgotten. */
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

/** Terms that only lead up to a request. */
const FILLERS: ReadonlySet<string> = new Set(analyze('ok okay yes yeah yep please also then now just so and'));

export const termsOf = (text: string): ReadonlySet<string> => new Set(analyze(text).filter((term) => !FILLERS.has(term)));

/** Whether of two sentences one says most of the other, and little else. */
export function saysSame(text: string, other: string): boolean {
  if (NEGATED.test(text) !== NEGATED.test(other)) return false;
  const [terms, others] = [termsOf(text), termsOf(other)];
  return hasShare(terms, others, HALF) && hasShare(others, terms, HALF) && (hasShare(terms, others, SAME) || hasShare(others, terms, SAME));
}

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
/** Share of a sentence's own terms below which it is about more than what it shares with another. */
const HALF = 0.5;
/** Share of a rule's terms from which a sentence says the same. */
const SAYS_IT = 0.9;
/** Terms of a sentence that is no rule itself, from which it can withdraw one. */
const LEAST_OPPOSING = 3;
/** Share of a sentence's own terms below which it says something else as well. */
const LITTLE_ELSE = 0.65;
/** Words with which a sentence forbids. */
export const NEGATED = /\b(?:don'?t|do not|never|no longer|stop|avoid|without|not)\b/i;

interface Read extends TypedRuleUse {
  readonly terms: ReadonlySet<string>;
  readonly isBan: boolean;
}

const readRule = (rule: TypedRuleUse): Read => ({ ...rule, terms: termsOf(rule.text), isBan: NEGATED.test(rule.text) });

/**
 * The rules that hold, the surest first: each once, with how many sessions of `all` said the same. A later sentence that says the opposite withdraws an
 * earlier one.
 */
export function heldRules(said: readonly TypedRuleUse[], all: readonly TypedRuleUse[] = said): readonly HeldRule[] {
  const read = onceEach(said).map(readRule);
  const counted = all === said ? read : all.map(readRule);
  const opposing = counted === read ? read : [...read, ...counted.filter(({ terms }) => terms.size >= LEAST_OPPOSING)];
  const scored = read
    .map((rule) => ({ rule, times: timesOf(rule, counted) }))
    .map(({ rule, times }) => ({ rule, times, points: (rule.weight + SAID_AGAIN * Math.min(MOST_AGAIN, times - 1)) * freshness(rule.newer) }))
    .filter(({ rule, points }) => points >= LEAST && !opposing.some((other) => withdraws(other, rule)))
    .toSorted((a, b) => Number(a.rule.isOnce ?? false) - Number(b.rule.isOnce ?? false) || b.points - a.points || a.rule.newer - b.rule.newer);
  const held: { readonly rule: Read; readonly times: number; readonly points: number }[] = [];
  for (const one of scored) if (!held.some(({ rule }) => overlap(rule.terms, one.rule.terms) >= SAME)) held.push(one);
  return held.map(({ rule: { text, at, isOnce = false }, times, points }) => ({ text, at, times, points, isOnce }));
}

/** A session that is given up at once is begun again with the same prompt. */
const BEGUN_AGAIN_MS = 3_600_000;

/**
 * A session that was forked repeats its messages with their times, and one that was begun again its prompt: of such copies the one of the newest session
 * stays.
 */
export function onceEach(said: readonly TypedRuleUse[]): readonly TypedRuleUse[] {
  const once: TypedRuleUse[] = [];
  const lastOf = new Map<string, number>();
  for (const use of said.toSorted((a, b) => a.at - b.at || b.newer - a.newer)) {
    const last = lastOf.get(use.text);
    const before = last === undefined ? undefined : once[last];
    if (last !== undefined && before !== undefined && use.at - before.at <= BEGUN_AGAIN_MS) once[last] = use.newer <= before.newer ? use : before;
    else lastOf.set(use.text, once.push(use) - 1);
  }
  return once;
}

const freshness = (newer: number): number => OLD_SHARE + (1 - OLD_SHARE) * 2 ** (-newer / HALF_LIFE);

/** What a session and its copies have in common. */
export const sessionOf = ({ began, newer }: TypedRuleUse): number => began ?? -1 - newer;

/** Sessions that said the same. */
function timesOf(rule: Read, all: readonly Read[]): number {
  const sessions = new Set<number>([sessionOf(rule)]);
  for (const other of all)
    if (
      !sessions.has(sessionOf(other)) &&
      rule.isBan === other.isBan &&
      hasShare(rule.terms, other.terms, SAYS_IT) &&
      hasShare(other.terms, rule.terms, LITTLE_ELSE)
    )
      sessions.add(sessionOf(other));
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
  NEGATED.test(text) === NEGATED.test(rule) && hasShare(new Set(analyze(rule)), new Set(analyze(text)), SAME);

const overlap = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => common(a, b) / Math.max(1, Math.min(a.size, b.size));

/** Whether a set has two of the terms at least, and so large a share of them. */
export function hasShare(terms: ReadonlySet<string>, of: ReadonlySet<string>, least: number): boolean {
  let missing = terms.size - Math.max(2, Math.ceil(least * terms.size));
  if (missing < 0) return false;
  for (const term of terms) if (!of.has(term) && --missing < 0) return false;
  return true;
}
