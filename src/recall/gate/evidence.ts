import { analyze } from '../text/analyze.ts';
import { type PromptTerms, type PromptTerm, identifiersIn } from './prompt-terms.ts';
import { packedTerms } from '../chunks/packed-texts.ts';
import type { GateHit } from './port.ts';
import { GATE } from './weights.ts';

/** What speaks for one hit. */
export interface GateEvidence {
  readonly matched: readonly PromptTerm[];
  /** Weight of the matched terms. */
  readonly mass: number;
  /** Its share of all that the prompt tells. */
  readonly coverage: number;
  /** Words that stand together in both. */
  readonly pairs: readonly string[];
  /** Identifiers, paths and codes written alike. */
  readonly exact: readonly PromptTerm[];
  /** Share of the matched weight that lies in title, tags and file names. */
  readonly inTitle: number;
}

/** Terms between which two words still stand together. */
const WITHIN = 4;

/** Evidence from the title and the best stretch of the text: words strewn over a long text say little together. */
export function evidenceFor(asked: PromptTerms, hit: GateHit): GateEvidence {
  // The title of a message is that of its session, and says nothing of what this one says.
  const title = hit.kind === 'message' ? '' : hit.title;
  const { head, body } =
    hit.pieces === undefined ? { head: analyze(`${title}\n${hit.tags.join(' ')}\n${hit.files.join(' ')}`), body: analyze(hit.text) } : packedTerms(hit.pieces);
  const inHead = new Set(head);
  const stretch = bestStretch(body, asked.weights, inHead);
  const places = new Map<string, number[]>();
  notePlaces(places, asked.weights, stretch, 0);
  notePlaces(places, asked.weights, head, stretch.length + WITHIN + 1);
  const matched = asked.terms.filter(({ term }) => places.has(term));
  const mass = sumOf(matched);
  const written = asked.identifiers.length === 0 ? undefined : identifiersIn(`${title}\n${hit.text}\n${hit.files.join('\n')}`);
  return {
    matched,
    mass,
    coverage: asked.total === 0 ? 0 : mass / asked.total,
    pairs: [...new Set(asked.pairs.filter((pair) => together(places, pair)).map((pair) => pair.join(' ')))],
    exact: asked.identifiers.filter(({ joined }) => written?.has(joined)).map(({ term, weight }) => ({ term, weight })),
    inTitle: mass === 0 ? 0 : sumOf(matched.filter(({ term }) => inHead.has(term))) / mass,
  };
}

const sumOf = (terms: readonly PromptTerm[]): number => terms.reduce((sum, { weight }) => sum + weight, 0);

/** Where the terms that were asked for stand. A plain loop, as below: a server answers a few prompts, and for so few V8 does not make it any faster. */
function notePlaces(places: Map<string, number[]>, weights: ReadonlyMap<string, number>, terms: readonly string[], first: number): void {
  for (let at = 0; at < terms.length; at++) {
    const term = terms[at] as string;
    if (weights.has(term) && places.get(term)?.push(first + at) === undefined) places.set(term, [first + at]);
  }
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

/** Whether two terms stand near each other, in any order. */
function together(places: ReadonlyMap<string, readonly number[]>, [a, b]: readonly [string, string]): boolean {
  if (a === b) return false;
  const second = places.get(b) ?? [];
  return (places.get(a) ?? []).some((at) => second.some((other) => Math.abs(other - at) <= WITHIN));
}
