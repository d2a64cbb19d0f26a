import { analyze } from '../analyze.ts';
import { tellingAtMost } from './everyday.ts';
import type { RankedHit } from './port.ts';
import { GATE } from './weights.ts';

/** A term of the prompt and how much it tells, from 0 to 1. */
export interface AskedTerm {
  readonly term: string;
  readonly weight: number;
}

export interface Asked {
  readonly terms: readonly AskedTerm[];
  readonly total: number;
  /** Telling terms that stand next to each other. */
  readonly pairs: readonly (readonly [string, string])[];
  /** Identifiers, paths and codes as they were written, by their joined term. */
  readonly identifiers: ReadonlyMap<string, string>;
}

/** What speaks for one hit. */
export interface Evidence {
  readonly matched: readonly AskedTerm[];
  /** Weight of the matched terms. */
  readonly mass: number;
  /** Share of all that the prompt tells. */
  readonly coverage: number;
  readonly pairs: readonly string[];
  readonly identifiers: readonly string[];
  /** Share of the matched weight that stands in title or tags. */
  readonly inTitle: number;
}

/** A word with an inner capital, an underscore, a digit beside letters, or a path. */
const IDENTIFIER = /[A-Za-z_$][\w$]*(?:[./-][\w$]+)*/g;
const isIdentifier = (word: string): boolean =>
  /[a-z][A-Z]|_[A-Za-z]|[A-Za-z]\d|\d[A-Za-z]|[A-Z]{2,}[a-z]/.test(word) || /^[\w$-]+(?:\/[\w$.-]+)+$/.test(word) || /^[\w-]+\.[a-z]{1,5}$/.test(word);

/** `AGENTS.md`, `src/a.ts` and `parseUrl` by the letters and digits they are made of. */
const joined = (word: string): string => word.toLowerCase().replace(/[^a-z0-9]/g, '');

function identifiersIn(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [word] of text.matchAll(IDENTIFIER)) if (isIdentifier(word) && joined(word).length >= 4) found.set(joined(word), word);
  return found;
}

/** Terms of a text in order, each with what it tells in this memory. */
export function askedOf(text: string, commonness: ReadonlyMap<string, number>): Asked {
  const sequence = analyze(text);
  const weights = new Map<string, number>();
  for (const term of sequence) {
    if (weights.has(term)) continue;
    const share = commonness.get(term) ?? 0;
    const rarity = share <= 0 ? 1 : Math.max(0, 1 - Math.sqrt(share / GATE.commonShare));
    weights.set(term, tellingAtMost(term, GATE.words) * rarity);
  }
  const terms = [...weights].map(([term, weight]) => ({ term, weight })).filter(({ weight }) => weight > 0);
  const telling = sequence.filter((term) => (weights.get(term) ?? 0) >= GATE.words.digits);
  const pairs = telling.slice(1).map((term, at) => [telling[at] as string, term] as const);
  return { terms, total: terms.reduce((sum, { weight }) => sum + weight, 0), pairs, identifiers: identifiersIn(text) };
}

const WITHIN = 4;

/** Whether two terms stand near each other, in any order. */
function near(places: ReadonlyMap<string, readonly number[]>, [a, b]: readonly [string, string]): boolean {
  if (a === b) return false;
  const second = places.get(b) ?? [];
  return (places.get(a) ?? []).some((at) => second.some((other) => Math.abs(other - at) <= WITHIN));
}

/** The stretch of a text that holds most of what was asked: words strewn over a long text say little together. */
function bestStretch(sequence: readonly string[], weights: ReadonlyMap<string, number>, always: ReadonlySet<string>): { from: number; to: number } {
  const held = new Map<string, number>();
  let [sum, best, from, start] = [0, -1, 0, 0];
  for (let at = 0; at < sequence.length; at++) {
    const weight = always.has(sequence[at] as string) ? 0 : (weights.get(sequence[at] as string) ?? 0);
    if (weight > 0 && held.set(sequence[at] as string, (held.get(sequence[at] as string) ?? 0) + 1).get(sequence[at] as string) === 1) sum += weight;
    if (at - from >= GATE.stretch) {
      const left = sequence[from++] as string;
      const count = held.get(left);
      if (count !== undefined) {
        if (count === 1) sum -= weights.get(left) ?? 0;
        if (count === 1) held.delete(left);
        else held.set(left, count - 1);
      }
    }
    if (sum > best) [best, start] = [sum, from];
  }
  return { from: start, to: Math.min(sequence.length, start + GATE.stretch) };
}

export function evidenceFor(asked: Asked, hit: RankedHit): Evidence {
  const weights = new Map(asked.terms.map(({ term, weight }) => [term, weight]));
  const head = analyze(`${hit.title}\n${hit.tags.join(' ')}\n${hit.files.join(' ')}`);
  const inHead = new Set(head);
  const body = analyze(hit.text);
  const { from, to } = bestStretch(body, weights, inHead);
  const places = new Map<string, number[]>();
  for (const [at, term] of [...body.slice(from, to), ...Array.from({ length: WITHIN }, () => ''), ...head].entries()) {
    if (!weights.has(term)) continue;
    const known = places.get(term);
    if (known) known.push(at);
    else places.set(term, [at]);
  }
  const matched = asked.terms.filter(({ term }) => places.has(term));
  const mass = matched.reduce((sum, { weight }) => sum + weight, 0);
  const headMass = matched.reduce((sum, { term, weight }) => sum + (inHead.has(term) ? weight : 0), 0);
  const written = asked.identifiers.size === 0 ? asked.identifiers : identifiersIn(`${hit.title}\n${hit.text}\n${hit.files.join('\n')}`);
  return {
    matched,
    mass,
    coverage: asked.total === 0 ? 0 : mass / asked.total,
    pairs: [...new Set(asked.pairs.filter((pair) => near(places, pair)).map((pair) => pair.join(' ')))],
    identifiers: [...asked.identifiers].filter(([key]) => written.has(key)).map(([, word]) => word),
    inTitle: mass === 0 ? 0 : headMass / mass,
  };
}
