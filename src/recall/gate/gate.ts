import { useValue, useWords } from '../../core/use/item-use.ts';
import { filesAbout } from '../text/analyze.ts';
import { evidenceFor, type GateEvidence, weightOf } from './evidence.ts';
import type { GateHit, RankedRecords } from './port.ts';
import { promptTerms, type PromptTerm, type PromptTerms } from './prompt-terms.ts';
import { GATE } from './weights.ts';

/** One reason for or against a hit; the points of all reasons sum to its strength. */
export interface Reason {
  readonly what: keyof typeof GATE.points;
  readonly points: number;
  readonly words: string;
}

export interface GateResult {
  readonly hit: GateHit;
  readonly strength: number;
  readonly reasons: readonly Reason[];
  /** Whether the overlap is more than chance; otherwise no strength is enough. */
  readonly isMatch: boolean;
  /** Strong evidence shows a hit, middling evidence names it, anything less leaves it out. */
  readonly step: 'show' | 'name' | 'silent';
  /** The prompt covers the title, or the record rules out its words: a named record then comes with its deciding sentence. */
  readonly showsSentence: boolean;
}

/** The hits with their reasons, strongest first. */
export function weigh(text: string, ranked: RankedRecords, open: readonly string[] = []): readonly GateResult[] {
  const prompt = promptTerms(text, ranked);
  const results = ranked.hits.map((hit) => weighHit(prompt, hit, filesAbout(open, hit.files), ranked.byMeaning));
  return results.toSorted((a, b) => b.strength - a.strength || (a.hit.id < b.hit.id ? -1 : 1));
}

function weighHit(prompt: PromptTerms, hit: GateHit, open: readonly string[], byMeaning = false): GateResult {
  const evidence = evidenceFor(prompt, hit);
  const reasons = reasonsFor(prompt, evidence, hit, open).filter(({ points }) => points !== 0);
  const strength = reasons.reduce((sum, { points }) => sum + points, 0);
  // A record marked wrong or outdated is not injected, however well it matches.
  const isMatch = (hit.feedback ?? 0) >= 0 && isMoreThanChance(evidence, hit);
  const bySimilarity = reasons.find(({ what }) => what === 'meaning')?.points ?? 0;
  const { carried, ruledOut, points } = GATE.sentence;
  const isAboutIt = evidence.carried >= carried || weightOf(evidence.ruledOut) >= ruledOut;
  const showsSentence = !isReport(hit) && isAboutIt && strength - bySimilarity >= points && (!byMeaning || bySimilarity > 0);
  return { hit, strength, reasons, isMatch, step: isMatch ? stepOf(hit, strength) : 'silent', showsSentence };
}

function stepOf({ kind }: GateHit, strength: number): GateResult['step'] {
  if (kind === 'document') return strength >= GATE.point ? 'show' : 'silent';
  return strength >= GATE.show ? 'show' : strength >= GATE.name ? 'name' : 'silent';
}

const REPORTS: ReadonlySet<GateHit['category']> = new Set(['session_summary', 'subagent_report', 'analysis']);
/** A report says what was done and found; it decides nothing. */
const isReport = ({ category }: GateHit): boolean => REPORTS.has(category);

/** One shared word outside the title is chance unless the record rules it out, and so is a small part of a long prompt. */
const isMoreThanChance = ({ title, text, ruledOut, coverage }: GateEvidence, { similarity = 0 }: GateHit): boolean =>
  similarity > 0 || (coverage >= GATE.leastCovered && (title.length > 0 || text.length > 1 || ruledOut.length > 0));

const MOST_FEEDBACK = 2;
const MOST_WORDS = 6;

const rounded = (points: number): number => Math.round(points * 1e3) / 1e3;

const strongest = (terms: readonly PromptTerm[]): string =>
  [...new Set(terms.toSorted((a, b) => b.weight - a.weight).map(({ word }) => word))].slice(0, MOST_WORDS).join(', ');

function reasonsFor(prompt: PromptTerms, { title, text, ruledOut, carried, coverage, mass }: GateEvidence, hit: GateHit, open: readonly string[]): Reason[] {
  const { points } = GATE;
  const feedback = Math.max(-MOST_FEEDBACK, Math.min(MOST_FEEDBACK, hit.feedback ?? 0));
  return [
    { what: 'title', points: rounded(points.title * weightOf(title)), words: `title or tags share ${strongest(title)}` },
    { what: 'text', points: rounded(points.text * weightOf(text)), words: `text shares ${strongest(text)}` },
    { what: 'ruledOut', points: rounded(points.ruledOut * weightOf(ruledOut)), words: `says no to ${strongest(ruledOut)}` },
    { what: 'carried', points: rounded(points.carried * carried), words: `the prompt has ${Math.round(carried * 100)} % of its title` },
    { what: 'covered', points: rounded(points.covered * coverage * Math.min(1, mass)), words: `covers ${Math.round(coverage * 100)} % of the prompt` },
    { what: 'past', points: prompt.past && mass > 0 ? points.past : 0, words: 'the prompt asks about the past' },
    { what: 'open', points: open.length > 0 && mass > 0 ? points.open : 0, words: `is about ${open[0]}, which you are working on` },
    { what: 'feedback', points: rounded(points.feedback * feedback), words: feedback > 0 ? 'was marked useful' : 'was marked wrong or outdated' },
    { what: 'use', points: rounded(points.use * useValue(hit.id, hit.use)), words: hit.use === undefined ? '' : useWords(hit.use) },
    { what: 'meaning', points: rounded(points.meaning * (hit.similarity ?? 0)), words: 'is near in meaning' },
  ];
}
