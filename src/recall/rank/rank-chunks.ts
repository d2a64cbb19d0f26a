import { type Question, parseQuestion } from '../query/parse.ts';
import { findTerms } from '../query/find-terms.ts';
import type { TimeContext } from '../query/time.ts';
import { analyze } from '../text/analyze.ts';
import type { ChunkRow, RecallIndex, UnitFilter, UnitRow } from '../port.ts';
import { arrange, type SupersessionHit, putCurrentFirst } from './supersede.ts';
import { type RankCandidate, candidatesAround } from './candidates.ts';
import { type NearText, withMeaning } from './meaning.ts';
import { answeredQuestions, channelValues, registerOf, type ScoredCandidate, scoreAll, sumOf } from './score.ts';
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
  /** Multiplies the number of candidates: several projects share them. */
  readonly factor?: number;
}

export interface SearchedIndex {
  readonly index: RecallIndex;
  /** Steps from the current project; 0 for the current project itself. */
  readonly distance?: number;
  /** The repository of the index, if several projects are searched at once; clones of one repository count as one. */
  readonly repository?: string;
}

export interface SearchResult {
  readonly hits: readonly ScoredHit[];
  /** Words of the question that no index contains, with the terms searched in their place. */
  readonly meant: ReadonlyMap<string, readonly string[]>;
}

export interface ScoredHit extends SupersessionHit {
  /** Share of the question's weight in the hit and its neighbours. */
  readonly coverage: number;
}

/** The most candidates whose word order is compared, because that reads their text. */
const MOST_READ = 90;
/** Candidates cut by words alone, before time, speaker and the kind of answer count: in talk, the answer is often far down this list. */
const CANDIDATES = 260;
const MOST_SEEDS = 160;

export async function rankChunks(searched: readonly SearchedIndex[], request: RankRequest): Promise<SearchResult> {
  const { question, indexParts, candidates, values, weight, meant } = await collectCandidates(searched, request);
  const context = rankContext(question, request);
  const listed = await arrangeHits(scoreAll(candidates, values), indexParts, context, request);
  return { hits: listed.map((hit) => ({ ...hit, coverage: weight === 0 ? 0 : Math.min(1, hit.candidate.coveredNear / weight) })), meant };
}

/** The final list: adds meaning and signals to each hit, puts current records above those they replaced, and arranges the rest. */
async function arrangeHits(
  matched: readonly ScoredCandidate[],
  indexParts: readonly IndexPart[],
  context: RankContext,
  { limit, near = [] }: Pick<RankRequest, 'limit' | 'near'>,
): Promise<readonly SupersessionHit[]> {
  const scored = withMeaning(matched, near, indexParts).map((hit) => withSignals(hit, context));
  const current = await replacements(scored, indexParts);
  const linked = putCurrentFirst(bestOfEach(scored), current, (old, row) => replacementHit(old, row, context));
  return arrange(linked, limit);
}

/** A record or document with its score as a share of the best match. */
export interface IndexMatch {
  readonly row: UnitRow;
  readonly text: string;
  readonly share: number;
}

/** Ranks matches that an index scored itself, without comparing their words again. */
export async function rankMatches(index: RecallIndex, matches: readonly IndexMatch[], request: RankRequest): Promise<SearchResult> {
  const part: IndexPart = { nth: 0, index, distance: 0, size: { chunks: 0, units: 0, terms: 0 } };
  const scored = matches.map(({ row, text, share }, nth): ScoredCandidate => {
    const chunk: ChunkRow = { id: nth, text };
    const candidate: RankCandidate = {
      part,
      row,
      chunk,
      unit: NO_UNIT,
      own: 0,
      near: 0,
      coveredNear: share,
      rank: share,
    };
    return { candidate, register: 'kept', parts: [{ signal: 'words', value: share, points: share }], score: share };
  });
  const listed = await arrangeHits(scored, [part], rankContext({ text: request.text, quoted: [] }, request), request);
  return { hits: listed.map((hit) => ({ ...hit, coverage: hit.candidate.coveredNear })), meant: new Map() };
}

const NO_UNIT: RankCandidate['unit'] = { unit: 0, bestThree: 0 };

export interface RankInput {
  readonly question: Question;
  readonly indexParts: readonly IndexPart[];
  readonly candidates: readonly RankCandidate[];
  /** The measured value of each channel for each candidate. */
  readonly values: readonly Readonly<Record<Channel, number>>[];
  /** The sum of the weights of the question's terms. */
  readonly weight: number;
  readonly meant: ReadonlyMap<string, readonly string[]>;
}

/** Everything that ranking uses, before weights are applied. */
export async function collectCandidates(searched: readonly SearchedIndex[], request: RankRequest): Promise<RankInput> {
  const { factor = 1 } = request;
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
  const candidates = inTimeRange(await candidatesIn(indexParts, telling, factor), request.filter);
  const all = [...telling, ...common];
  const proximity = new ProximityScorer(
    question.sequence,
    all.map(({ term }) => term),
    all.map(({ weight }) => weight),
  );
  const named = new Set(speakers.flat().filter((name) => analyze(name).some((term) => question.sequence.includes(term))));
  const near = await proximities(
    candidates.slice(0, factor * MOST_READ),
    proximity,
    all.map(({ term }) => term),
  );
  const answered = answeredQuestions(candidates);
  const values = candidates.map((candidate, nth) => channelValues(candidate, question, { named, answersQuestion: answered[nth] ?? 0, pairs: near[nth] ?? 0 }));
  const weight = telling.reduce((sum, term) => sum + (term.isRelated ? 0 : term.weight), 0) + unknown * (telling[0]?.weight ?? 0);
  return { question, indexParts, candidates, values, weight, meant };
}

/** Scores all matches roughly first, then exactly around the best seeds. */
async function candidatesIn(indexParts: readonly IndexPart[], terms: readonly TermWeight[], factor: number): Promise<RankCandidate[]> {
  if (terms.length === 0) return [];
  const weights = new TermWeights(terms.map(({ weight }) => weight));
  const passes = indexParts.map((part, nth) => firstPass(part, nth, terms, weights));
  const worths = passes.flatMap(({ seeds }) => seeds.map(({ worth }) => worth)).toSorted((a, b) => b - a);
  const least = worths[Math.min(worths.length, factor * MOST_SEEDS) - 1] ?? 0;
  const aroundSeeds = passes.map(async (pass) =>
    candidatesAround(
      pass,
      pass.seeds.filter(({ worth }) => worth >= least),
      terms,
      weights,
      factor * CANDIDATES,
    ),
  );
  return (await Promise.all(aroundSeeds))
    .flat()
    .toSorted((a, b) => b.rank - a.rank)
    .slice(0, factor * CANDIDATES);
}

function withSignals(hit: ScoredCandidate, context: RankContext): ScoredCandidate {
  const parts = [...hit.parts, ...signalsOf(hit.candidate, context)];
  return { ...hit, parts, score: sumOf(parts) };
}

async function indexPart({ index, distance = 0 }: SearchedIndex, nth: number, filter: UnitFilter | undefined): Promise<IndexPart> {
  const size = await index.size();
  const allowed = filter === undefined ? undefined : await index.allowed(filter);
  return { nth, index, distance, size, ...(allowed && { allowed }) };
}

function inTimeRange(candidates: readonly RankCandidate[], filter: UnitFilter | undefined): readonly RankCandidate[] {
  const { since = -Infinity, until = Infinity } = filter ?? {};
  if (since === -Infinity && until === Infinity) return candidates;
  return candidates.filter(({ chunk, row }) => {
    const at = chunk.at ?? row.endedAt ?? row.startedAt;
    return at !== undefined && at >= since && at < until;
  });
}

function rankContext(question: Pick<Question, 'text' | 'quoted'>, { now, files = [] }: RankRequest): RankContext {
  return { now, named: filesIn(question.text), open: files, quoted: question.quoted };
}

/** The best chunk of each message, and of each record or document. */
function bestOfEach(hits: readonly ScoredCandidate[]): ScoredCandidate[] {
  const best = new Map<string, ScoredCandidate>();
  for (const hit of hits) {
    const { part, row, chunk } = hit.candidate;
    const key = `${part.nth} ${row.unit} ${chunk.messageId ?? ''}`;
    const known = best.get(key);
    if (known === undefined || hit.score > known.score) best.set(key, hit);
  }
  return [...best.values()];
}

async function replacements(hits: readonly ScoredCandidate[], indexParts: readonly IndexPart[]): Promise<ReadonlyMap<string, UnitRow>> {
  const rowsById = new Map<string, UnitRow>();
  let pending = [...new Set(hits.flatMap(({ candidate }) => candidate.row.supersededBy ?? []))];
  while (pending.length > 0) {
    const rows = (await Promise.all(indexParts.map(async ({ index }) => index.recordsNamed(pending)))).flat();
    for (const row of rows) rowsById.set(row.id, row);
    pending = [...new Set(rows.flatMap((row) => (row.supersededBy === undefined || rowsById.has(row.supersededBy) ? [] : [row.supersededBy])))];
  }
  return rowsById;
}

/** A current record that shares no word with the question, found through the one it replaced. */
function replacementHit(old: ScoredCandidate, row: UnitRow, context: RankContext): ScoredCandidate {
  const chunk: ChunkRow = { id: 0, text: row.title };
  const candidate: RankCandidate = { ...old.candidate, row, chunk, own: 0, near: 0 };
  const parts = signalsOf(candidate, context);
  return { candidate, register: registerOf(candidate), parts, score: sumOf(parts) };
}
