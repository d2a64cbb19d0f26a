import { analyze, wordRuns } from '../text/analyze.ts';
import { termWeight } from './term-weight.ts';
import { packedTerms, packTexts } from '../chunks/packed-texts.ts';
import type { GateHit } from './port.ts';
import type { PromptTerm, PromptTerms } from './prompt-terms.ts';
import { GATE } from './weights.ts';

/** The terms of a prompt that one hit contains, each counted once, in the title before the text. */
export interface GateEvidence {
  /** In title and tags. */
  readonly title: readonly PromptTerm[];
  /** In the best stretch of the text: words scattered over a long text are weak evidence. */
  readonly text: readonly PromptTerm[];
  /** Of both, those that the record forbids or rules out: a task that mentions them may break the rule. */
  readonly ruledOut: readonly PromptTerm[];
  /** Share of the title that the prompt's words cover, less where those words are common. */
  readonly carried: number;
  /** Share of the prompt's weight that the hit covers. */
  readonly coverage: number;
  /** The same as an absolute weight. */
  readonly mass: number;
}

const IDENTIFIER = /^[\x00-\x7f]*$/;

export const weightOf = (terms: readonly PromptTerm[]): number => terms.reduce((sum, { weight }) => sum + weight, 0);

export function evidenceFor({ terms, weights, total }: PromptTerms, hit: GateHit): GateEvidence {
  const { head, body } = packedTerms(hit.packedTexts ?? packTexts({ ...hit, body: hit.text }));
  const inHead = new Set(head);
  const inText = new Set(bestStretch(body, weights, inHead));
  const title = terms.filter(({ term }) => inHead.has(term));
  const text = terms.filter(({ term }) => inText.has(term) && !inHead.has(term));
  const mass = weightOf(title) + weightOf(text);
  const ruledOut = mass === 0 ? [] : termsIn([...title, ...text], ruledOutBy(hit));
  return { title, text, ruledOut, mass, carried: carriedBy(hit.title, weights), coverage: total === 0 ? 0 : mass / total };
}

const RULING_OUT = /\b(?:no|not|never|without|cannot|don['’]t|instead of|rather than)\b([^.;:\n]*)/gi;

/** The things that a record rules out: `LINQ` in `No LINQ in Update`, `Kafka` in `NATS instead of Kafka`. */
function ruledOutBy({ title, text }: GateHit): string {
  return [...`${title}\n${text}`.matchAll(RULING_OUT)].map(([, clause]) => clause).join(' ');
}

function termsIn(terms: readonly PromptTerm[], text: string): readonly PromptTerm[] {
  const textTerms = new Set(analyze(text));
  return terms.filter(({ term }) => textTerms.has(term));
}

/** The prompt's share of a title: a word that makes up most of a title is its subject. An identifier counts as one word, matched whole or by its parts. */
function carriedBy(title: string, weights: ReadonlyMap<string, number>): number {
  let [titleWeight, sharedWeight, promptWeight] = [0, 0, 0];
  for (const { whole, parts } of titleWords(title)) {
    const shared = weights.has(whole) ? [whole] : parts.filter((part) => weights.has(part));
    titleWeight += termWeight(whole);
    sharedWeight += termWeight(whole) * (shared[0] === whole ? 1 : shared.length / Math.max(1, parts.length));
    promptWeight += shared.reduce((sum, term) => sum + (weights.get(term) ?? 0), 0);
  }
  return titleWeight === 0 ? 0 : (sharedWeight / titleWeight) * Math.min(1, promptWeight);
}

interface TitleWord {
  readonly whole: string;
  readonly parts: readonly string[];
}

/** The words of a title, each once; in scripts without spaces every pair of letters counts as a word. */
function titleWords(title: string): readonly TitleWord[] {
  const words = new Map<string, TitleWord>();
  for (const word of wordRuns(title)) {
    const terms = analyze(word);
    const groups = IDENTIFIER.test(word) ? [terms] : terms.map((term) => [term]);
    for (const group of groups) {
      const whole = group.at(-1);
      if (whole !== undefined) words.set(whole, { whole, parts: group.slice(0, -1) });
    }
  }
  return [...words.values()];
}

/** The stretch with the largest weight of prompt terms that the title lacks. */
function bestStretch(sequence: readonly string[], weights: ReadonlyMap<string, number>, inHead: ReadonlySet<string>): readonly string[] {
  const counts = new Map<string, number>();
  /** The change of the stretch's score when a term enters or leaves it. */
  const shift = (term: string, by: 1 | -1): number => {
    const weight = weights.get(term);
    if (weight === undefined || inHead.has(term)) return 0;
    const count = (counts.get(term) ?? 0) + by;
    counts.set(term, count);
    return count === Math.max(by, 0) ? by * weight : 0;
  };
  let sum = 0;
  let best = 0;
  let start = 0;
  for (let at = 0; at < sequence.length; at++) {
    sum += shift(sequence[at] as string, 1);
    const leaving = at - GATE.stretch;
    if (leaving >= 0) sum += shift(sequence[leaving] as string, -1);
    if (sum <= best + 1e-9) continue;
    best = sum;
    start = Math.max(0, leaving + 1);
  }
  return sequence.slice(start, start + GATE.stretch);
}
