import { analyze } from '../text/analyze.ts';
import { termWeight } from './term-weight.ts';
import { packedTerms, packTexts } from '../chunks/packed-texts.ts';
import type { GateHit } from './port.ts';
import type { PromptTerm, PromptTerms } from './prompt-terms.ts';
import { GATE } from './weights.ts';

/** The terms of a prompt that one hit has, each where it tells most. */
export interface GateEvidence {
  /** In title and tags. */
  readonly title: readonly PromptTerm[];
  /** In the best stretch of the text: words strewn over a long text say little together. */
  readonly text: readonly PromptTerm[];
  /** In the names of its files alone. */
  readonly files: readonly PromptTerm[];
  /** Share of what its title says by the prompt's words, less where these tell little. */
  readonly carried: number;
  /** Share of all that the prompt tells, and its weight. */
  readonly coverage: number;
  readonly mass: number;
}

export const weightOf = (terms: readonly PromptTerm[]): number => terms.reduce((sum, { weight }) => sum + weight, 0);

export function evidenceFor({ terms, weights, total }: PromptTerms, hit: GateHit): GateEvidence {
  const { head, body, files } = packedTerms(hit.pieces ?? packTexts({ ...hit, body: hit.text }));
  const inHead = new Set(head);
  const inText = new Set(bestStretch(body, weights, inHead));
  const inFiles = new Set(files);
  const title = terms.filter(({ term }) => inHead.has(term));
  const text = terms.filter(({ term }) => inText.has(term) && !inHead.has(term));
  const named = terms.filter(({ term }) => inFiles.has(term) && !inText.has(term) && !inHead.has(term));
  const mass = weightOf(title) + weightOf(text) + weightOf(named);
  return { title, text, files: named, mass, carried: carriedBy(hit.title, weights), coverage: total === 0 ? 0 : mass / total };
}

/** A word that is most of a title says what the record is about. */
function carriedBy(title: string, weights: ReadonlyMap<string, number>): number {
  const terms = [...new Set(analyze(title))];
  const held = terms.filter((term) => weights.has(term));
  const sum = (some: readonly string[]): number => some.reduce((all, term) => all + termWeight(term), 0);
  if (held.length === 0) return 0;
  return (
    (sum(held) / sum(terms)) *
    Math.min(
      1,
      held.reduce((all, term) => all + (weights.get(term) ?? 0), 0),
    )
  );
}

/** The stretch that holds most of what was asked beyond what the title holds. */
function bestStretch(sequence: readonly string[], weights: ReadonlyMap<string, number>, inHead: ReadonlySet<string>): readonly string[] {
  const held = new Map<string, number>();
  /** What the stretch gains or loses with a term that comes in or goes out. */
  const shift = (term: string, by: 1 | -1): number => {
    const weight = weights.get(term);
    if (weight === undefined || inHead.has(term)) return 0;
    const count = (held.get(term) ?? 0) + by;
    held.set(term, count);
    return count === Math.max(by, 0) ? by * weight : 0;
  };
  let sum = 0;
  let best = 0;
  let start = 0;
  for (let at = 0; at < sequence.length; at++) {
    sum += shift(sequence[at] as string, 1);
    const left = at - GATE.stretch;
    if (left >= 0) sum += shift(sequence[left] as string, -1);
    if (sum <= best + 1e-9) continue;
    best = sum;
    start = Math.max(0, left + 1);
  }
  return sequence.slice(start, start + GATE.stretch);
}
