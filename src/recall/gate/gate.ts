import { useValue, useWords } from '../../core/use/item-use.ts';
import { filesAbout } from '../text/analyze.ts';
import { promptTerms, type PromptTerms } from './prompt-terms.ts';
import { evidenceFor, type GateEvidence } from './evidence.ts';
import type { RankedRecords, GateHit } from './port.ts';
import { GATE } from './weights.ts';

/** One thing that speaks for or against a hit; the points of all of them are its strength. */
export interface Reason {
  readonly what: keyof typeof GATE.points;
  readonly points: number;
  readonly words: string;
}

export interface GateResult {
  readonly hit: GateHit;
  readonly strength: number;
  readonly reasons: readonly Reason[];
  readonly passes: boolean;
}

/** The hits with what speaks for each, strongest first; those that pass may be injected. */
export function weigh(text: string, ranked: RankedRecords, open: readonly string[] = []): readonly GateResult[] {
  const asked = promptTerms(text, ranked);
  const top = Math.max(0, ...ranked.hits.map(({ score }) => score));
  const weighed = ranked.hits.map((hit) => weighOne(asked, hit, top, filesAbout(open, hit.files)));
  return weighed.toSorted((a, b) => b.strength - a.strength || (a.hit.id < b.hit.id ? -1 : 1));
}

function weighOne(asked: PromptTerms, hit: GateHit, top: number, open: readonly string[]): GateResult {
  const evidence = evidenceFor(asked, hit);
  const reasons = reasonsFor(asked, evidence, hit, top, open).filter(({ points }) => points !== 0);
  const strength = reasons.reduce((sum, { points }) => sum + points, 0);
  const least = hit.kind === 'record' ? GATE.open.record : GATE.open.pointer;
  return { hit, strength, reasons, passes: strength >= least && (hit.feedback ?? 0) >= 0 && isMatch(evidence, asked.past) };
}

/**
 * One word in common is chance, however rare it is, unless it is all the prompt is about and stands in the title. So are two that stand apart outside the
 * title, and whatever is found in a corner of a long prompt. A name written alike is none.
 */
function isMatch({ matched, exact, pairs, coverage, inTitle }: GateEvidence, past: boolean): boolean {
  if (coverage < GATE.leastCovered) return false;
  if (exact.some(({ weight }) => weight >= GATE.telling)) return true;
  const telling = matched.filter(({ weight }) => weight >= GATE.telling).length;
  if (telling <= 1) return telling === 1 && inTitle > 0.5 && coverage >= (past ? GATE.allItIsAbout.past : GATE.allItIsAbout.otherwise);
  return telling > 2 || pairs.length > 0 || inTitle > 0;
}

const MOST_PAIRS = 3;
const MOST_EXACT = 2;
const MOST_FEEDBACK = 2;
const WORDS_SHOWN = 6;

const rounded = (points: number): number => Math.round(points * 1e3) / 1e3;

function reasonsFor(asked: PromptTerms, evidence: GateEvidence, hit: GateHit, top: number, open: readonly string[]): Reason[] {
  const { matched, mass, coverage, pairs, exact, inTitle } = evidence;
  const { points } = GATE;
  const strongest = matched.toSorted((a, b) => b.weight - a.weight).slice(0, WORDS_SHOWN);
  const sure = exact.reduce((sum, { weight }) => sum + weight, 0);
  const feedback = Math.max(-MOST_FEEDBACK, Math.min(MOST_FEEDBACK, hit.feedback ?? 0));
  return [
    { what: 'matched', points: rounded(points.matched * mass), words: `shares ${strongest.map(({ term }) => term).join(', ')}` },
    {
      what: 'covered',
      points: rounded(points.covered * coverage * Math.min(1, mass / GATE.solid)),
      words: `covers ${Math.round(coverage * 100)} % of the prompt`,
    },
    {
      what: 'together',
      points: rounded(points.together * Math.min(MOST_PAIRS, pairs.length)),
      words: `has these words together, as the prompt does: ${pairs.join('; ')}`,
    },
    { what: 'exact', points: rounded(points.exact * Math.min(MOST_EXACT, sure)), words: `names ${exact.map(({ term }) => term).join(', ')}` },
    { what: 'title', points: rounded(points.title * inTitle), words: `${Math.round(inTitle * 100)} % of the match is in its title, tags or files` },
    { what: 'past', points: asked.past && mass > 0 ? points.past : 0, words: 'the prompt asks about the past' },
    { what: 'open', points: open.length > 0 && mass > 0 ? points.open : 0, words: `is about ${open[0]}, which you are working on` },
    { what: 'behind', points: top <= 0 ? 0 : rounded(points.behind * (hit.score / top - 1)), words: 'ranks behind the best hit' },
    { what: 'feedback', points: rounded(points.feedback * feedback), words: feedback > 0 ? 'was marked useful' : 'was marked wrong or outdated' },
    { what: 'use', points: rounded(points.use * useValue(hit.id, hit.use)), words: hit.use === undefined ? '' : useWords(hit.use) },
  ];
}
