import { type Question, parseQuestion } from '../query/parse.ts';
import { findTerms } from '../query/find-terms.ts';
import type { TimeContext } from '../query/time.ts';
import { analyze } from '../text/analyze.ts';
import type { ChunkRow, RecallIndex, UnitFilter, UnitRow } from '../port.ts';
import { arrange, type SupersessionHit, putCurrentFirst } from './supersede.ts';
import { type RankCandidate, candidatesAround } from './candidates.ts';
import { type NearText, withMeaning } from './meaning.ts';
import { answeredQuestions, measured, registerOf, type Scored, scoreAll, sumOf } from './score.ts';
import { proximities, ProximityScorer } from './proximity.ts';
import { filesIn, signalsOf, type RankContext } from './signals.ts';
import { firstPass, type IndexPart } from './seeds.ts';
import { TermWeights, type TermWeight, weighTerms } from './terms.ts';
import type { Channel } from './weights.ts';

export interface RankRequest extends TimeContext {
  readonly text: string;
  readonly limit: number;
  readonly filter?: UnitFilter;
  /** Files open in the work. */
  readonly files?: readonly string[];
  /** The texts nearest in meaning, if an embedder is set up. */
  readonly near?: readonly NearText[];
  /** How many times as many candidates are looked at: several projects share them. */
  readonly room?: number;
}

export interface SearchedIndex {
  readonly index: RecallIndex;
  /** Steps from the current project; 0 for the current project itself. */
  readonly distance?: number;
  /** Whose index it is, where several projects are searched at once; clones of one repository are one. */
  readonly repository?: string;
}

export interface SearchResult {
  readonly hits: readonly ScoredHit[];
  /** Words of the question that nothing holds, with the terms taken for them. */
  readonly meant: ReadonlyMap<string, readonly string[]>;
}

export interface ScoredHit extends SupersessionHit {
  /** Share of the question's weight that stands in the hit and around it. */
  readonly coverage: number;
}

/** Word order is looked at in the likeliest candidates only: it means reading their text. */
const MOST_READ = 90;
/** Cut by words alone, before time, speaker and the sort of answer wanted count: in talk, where neighbours come in too, what answers is often far down. */
const CANDIDATES = 260;
const MOST_SEEDS = 160;

export async function rankChunks(searched: readonly SearchedIndex[], request: RankRequest): Promise<SearchResult> {
  const { question, indexParts, candidates, values, weight, meant } = await collectCandidates(searched, request);
  const surroundings = surroundingsOf(question, request);
  const listed = await list(scoreAll(candidates, values), indexParts, surroundings, request);
  return { hits: listed.map((hit) => ({ ...hit, coverage: weight === 0 ? 0 : Math.min(1, hit.candidate.coveredNear / weight) })), meant };
}

/** The list that is shown, from what matched: with what each hit is beside what it says, current records above those they replaced. */
async function list(
  matched: readonly Scored[],
  indexParts: readonly IndexPart[],
  surroundings: RankContext,
  { limit, near = [] }: Pick<RankRequest, 'limit' | 'near'>,
): Promise<readonly SupersessionHit[]> {
  const scored = withMeaning(matched, near, indexParts).map((hit) => withSignals(hit, surroundings));
  const current = await replacements(scored, indexParts);
  const noted = putCurrentFirst(bestOfEach(scored), current, (old, row) => broughtIn(old, row, surroundings));
  return arrange(noted, limit);
}

/** A record or document with the share of the best match that an index gave it. */
export interface IndexMatch {
  readonly row: UnitRow;
  readonly text: string;
  readonly share: number;
}

/** Ranks what one index has matched by itself: for questions that need no second look at their words. */
export async function rankMatches(index: RecallIndex, matches: readonly IndexMatch[], request: RankRequest): Promise<SearchResult> {
  const part: IndexPart = { nth: 0, index, distance: 0, size: { chunks: 0, units: 0, terms: 0 } };
  const scored = matches.map(({ row, text, share }, nth): Scored => {
    const chunk: ChunkRow = { id: nth, text };
    const candidate: RankCandidate = {
      part,
      row,
      chunk,
      unit: NOTHING,
      own: 0,
      near: 0,
      coveredNear: share,
      rank: share,
    };
    return { candidate, register: 'kept', parts: [{ signal: 'words', value: share, points: share }], score: share };
  });
  const listed = await list(scored, [part], surroundingsOf({ text: request.text, quoted: [] }, request), request);
  return { hits: listed.map((hit) => ({ ...hit, coverage: hit.candidate.coveredNear })), meant: new Map() };
}

const NOTHING: RankCandidate['unit'] = { unit: 0, bestThree: 0 };

export interface RankInput {
  readonly question: Question;
  readonly indexParts: readonly IndexPart[];
  readonly candidates: readonly RankCandidate[];
  /** What each channel measures for each candidate. */
  readonly values: readonly Readonly<Record<Channel, number>>[];
  /** The sum of the weights of the question's terms. */
  readonly weight: number;
  readonly meant: ReadonlyMap<string, readonly string[]>;
}

/** All that ranking goes by, before it is weighed. */
export async function collectCandidates(searched: readonly SearchedIndex[], request: RankRequest): Promise<RankInput> {
  const { room = 1 } = request;
  const question = parseQuestion(request.text, request);
  const indexParts = await Promise.all(searched.map((one, nth) => indexPart(one, nth, request.filter)));
  const speakers = await Promise.all(indexParts.map(async ({ index }) => index.speakers()));
  const { terms, meant, unknown } = await findTerms(
    question,
    indexParts.map(({ index }) => index),
    speakers,
  );
  const { telling, common } = weighTerms(
    terms,
    indexParts.map(({ size }) => size),
  );
  const candidates = within(await candidatesIn(indexParts, telling, room), request.filter);
  const all = [...telling, ...common];
  const proximity = new ProximityScorer(
    question.sequence,
    all.map(({ term }) => term),
    all.map(({ weight }) => weight),
  );
  const named = new Set(speakers.flat().filter((name) => analyze(name).some((term) => question.sequence.includes(term))));
  const near = await proximities(
    candidates.slice(0, room * MOST_READ),
    proximity,
    all.map(({ term }) => term),
  );
  const asked = answeredQuestions(candidates);
  const values = candidates.map((candidate, nth) => measured(candidate, question, { named, asked: asked[nth] ?? 0, pairs: near[nth] ?? 0 }));
  const weight = telling.reduce((sum, term) => sum + (term.isKin ? 0 : term.weight), 0) + unknown * (telling[0]?.weight ?? 0);
  return { question, indexParts, candidates, values, weight, meant };
}

/** Roughly over all indexes, then closely where the best seeds are. */
async function candidatesIn(indexParts: readonly IndexPart[], terms: readonly TermWeight[], room: number): Promise<RankCandidate[]> {
  if (terms.length === 0) return [];
  const weights = new TermWeights(terms.map(({ weight }) => weight));
  const roughs = indexParts.map((part, nth) => firstPass(part, nth, terms, weights));
  const worths = roughs.flatMap(({ seeds }) => seeds.map(({ worth }) => worth)).toSorted((a, b) => b - a);
  const least = worths[Math.min(worths.length, room * MOST_SEEDS) - 1] ?? 0;
  const close = roughs.map(async (rough) =>
    candidatesAround(
      rough,
      rough.seeds.filter(({ worth }) => worth >= least),
      terms,
      weights,
      room * CANDIDATES,
    ),
  );
  return (await Promise.all(close))
    .flat()
    .toSorted((a, b) => b.rank - a.rank)
    .slice(0, room * CANDIDATES);
}

function withSignals(hit: Scored, surroundings: RankContext): Scored {
  const parts = [...hit.parts, ...signalsOf(hit.candidate, surroundings)];
  return { ...hit, parts, score: sumOf(parts) };
}

async function indexPart({ index, distance = 0 }: SearchedIndex, nth: number, filter: UnitFilter | undefined): Promise<IndexPart> {
  const size = await index.size();
  const allowed = filter === undefined ? undefined : await index.allowed(filter);
  return { nth, index, distance, size, ...(allowed && { allowed }) };
}

function within(candidates: readonly RankCandidate[], filter: UnitFilter | undefined): readonly RankCandidate[] {
  const { since = -Infinity, until = Infinity } = filter ?? {};
  if (since === -Infinity && until === Infinity) return candidates;
  return candidates.filter(({ chunk, row }) => {
    const at = chunk.at ?? row.endedAt ?? row.startedAt;
    return at !== undefined && at >= since && at < until;
  });
}

function surroundingsOf(question: Pick<Question, 'text' | 'quoted'>, { now, files = [] }: RankRequest): RankContext {
  return { now, named: filesIn(question.text), open: files, quoted: question.quoted };
}

/** One hit a message, one a record or document: the best of its chunks. */
function bestOfEach(hits: readonly Scored[]): Scored[] {
  const best = new Map<string, Scored>();
  for (const hit of hits) {
    const { part, row, chunk } = hit.candidate;
    const key = `${part.nth} ${row.unit} ${chunk.messageId ?? ''}`;
    const known = best.get(key);
    if (known === undefined || hit.score > known.score) best.set(key, hit);
  }
  return [...best.values()];
}

async function replacements(hits: readonly Scored[], indexParts: readonly IndexPart[]): Promise<ReadonlyMap<string, UnitRow>> {
  const found = new Map<string, UnitRow>();
  let wanted = [...new Set(hits.flatMap(({ candidate }) => candidate.row.supersededBy ?? []))];
  while (wanted.length > 0) {
    const rows = (await Promise.all(indexParts.map(async ({ index }) => index.recordsNamed(wanted)))).flat();
    for (const row of rows) found.set(row.id, row);
    wanted = [...new Set(rows.flatMap((row) => (row.supersededBy === undefined || found.has(row.supersededBy) ? [] : [row.supersededBy])))];
  }
  return found;
}

/** A current record that shares no word with the question, found through the one it replaced. */
function broughtIn(old: Scored, row: UnitRow, surroundings: RankContext): Scored {
  const chunk: ChunkRow = { id: 0, text: row.title };
  const candidate: RankCandidate = { ...old.candidate, row, chunk, own: 0, near: 0 };
  const parts = signalsOf(candidate, surroundings);
  return { candidate, register: registerOf(candidate), parts, score: sumOf(parts) };
}
