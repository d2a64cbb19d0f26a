import { type Question, parseQuestion } from './query/parse.ts';
import { termsFrom, termsLike } from './query/spelling.ts';
import type { TimeContext } from './query/time.ts';
import { analyze } from './analyze.ts';
import type { ChunkRow, Postings, RecallIndex, UnitFilter, UnitRow } from './port.ts';
import { arrange } from './rank/arrange.ts';
import { type Candidate, candidatesOn, type Shelf } from './rank/candidates.ts';
import { ProximityScorer } from './rank/proximity.ts';
import { measured, registerOf, type Scored, scoreAll, sumOf } from './rank/score.ts';
import { filesIn, signalsOf, type Surroundings } from './rank/signals.ts';
import { type Noted, putCurrentFirst } from './rank/supersede.ts';
import { type Term, type WeighedTerm, weighTerms } from './rank/terms.ts';

export interface SearchRequest extends TimeContext {
  readonly text: string;
  readonly limit: number;
  readonly filter?: UnitFilter;
  /** Files open in the work. */
  readonly files?: readonly string[];
  readonly branch?: string;
}

export interface SearchedIndex {
  readonly index: RecallIndex;
  /** Steps from the project at hand; 0 when it is that project's. */
  readonly distance?: number;
}

export interface SearchResult {
  readonly hits: readonly RankedHit[];
  /** Words of the question that nothing holds, with the terms taken for them. */
  readonly meant: ReadonlyMap<string, readonly string[]>;
}

export interface RankedHit extends Noted {
  /** Share of the question's weight that stands in the hit and around it. */
  readonly coverage: number;
}

/** Postings of a term are cut here: a term this common tells little. */
const MOST_POSTINGS = 30_000;
const LIKELY = 0.7;
const MOST_PREFIXED = 8;
/** A speaker's name is in every message of a chat in one way or another. */
const NAME_SHARE = 0.5;

export async function search(searched: readonly SearchedIndex[], request: SearchRequest): Promise<SearchResult> {
  const question = parseQuestion(request.text, request);
  const shelves = await Promise.all(searched.map((one) => shelfOf(one, request.filter)));
  const speakers = await speakersIn(shelves);
  const { terms, meant, unknown } = await termsOf(question, shelves, speakers);
  const weighed = weighTerms(
    terms,
    shelves.map(({ size }) => size),
  );
  if (weighed.length === 0) return { hits: [], meant };
  const proximity = new ProximityScorer(
    question.sequence,
    weighed.map(({ term }) => term),
    weighed.map(({ weight }) => weight),
  );
  const candidates = within((await Promise.all(shelves.map((shelf, nth) => candidatesOn(shelf, nth, weighed)))).flat(), request.filter);
  const named = namedIn(question, speakers);
  const scored = scoreAll(
    candidates,
    candidates.map((candidate) => measured(candidate, question, named, proximity)),
  );
  const surroundings = surroundingsOf(question, request);
  const signalled = scored
    .map((hit) => ({ ...hit, parts: [...hit.parts, ...signalsOf(hit.candidate, surroundings)] }))
    .map((hit) => ({ ...hit, score: sumOf(hit.parts) }));
  const current = await replacements(signalled, shelves);
  const noted = putCurrentFirst(bestOfEach(signalled), current, (old, row) => broughtIn(old, row, surroundings));
  const total = weighed.reduce((sum, { weight }) => sum + weight, 0) + unknown * (weighed[0] as WeighedTerm).weight;
  return { hits: arrange(noted, request.limit).map((hit) => ({ ...hit, coverage: hit.candidate.coveredNear / total })), meant };
}

async function shelfOf({ index, distance = 0 }: SearchedIndex, filter: UnitFilter | undefined): Promise<Shelf> {
  const size = await index.size();
  return filter === undefined ? { index, distance, size } : { index, distance, size, allowed: await index.allowed(filter) };
}

async function speakersIn(shelves: readonly Shelf[]): Promise<readonly string[]> {
  return [...new Set((await Promise.all(shelves.map(async ({ index }) => index.speakers()))).flat())];
}

const namedIn = ({ sequence }: Question, speakers: readonly string[]): ReadonlySet<string> =>
  new Set(speakers.filter((name) => analyze(name).some((term) => sequence.includes(term))));

interface Terms {
  readonly terms: readonly Term[];
  readonly meant: ReadonlyMap<string, readonly string[]>;
  /** Terms that nothing holds and nothing is taken for. */
  readonly unknown: number;
}

async function termsOf(question: Question, shelves: readonly Shelf[], speakers: readonly string[]): Promise<Terms> {
  const indexes = shelves.map(({ index }) => index);
  const names = new Set(speakers.flatMap(analyze));
  const asked = new Set(question.sequence);
  const shares = new Map([...asked].map((term) => [term, names.has(term) ? NAME_SHARE : 1]));
  for (const term of question.joined) if (!shares.has(term)) shares.set(term, 1);
  for (const start of question.prefixes) for (const term of await termsFrom(start, indexes, MOST_PREFIXED)) if (!shares.has(term)) shares.set(term, LIKELY);
  const found = await lookUp(shares, indexes);
  const missing = [...asked].filter((term) => found.get(term)?.every(({ count }) => count === 0));
  const meant = await likelyTerms(question, missing, indexes);
  const likely = new Map(
    [...meant.values()]
      .flat()
      .filter((term) => !shares.has(term))
      .map((term) => [term, LIKELY]),
  );
  const more = await lookUp(likely, indexes);
  const terms = [...shares, ...likely].map(([term, share]) => ({ term, share, postings: found.get(term) ?? more.get(term) ?? [] }));
  return { terms, meant, unknown: missing.length - meant.size };
}

async function lookUp(shares: ReadonlyMap<string, number>, indexes: readonly RecallIndex[]): Promise<Map<string, Postings[]>> {
  const terms = [...shares.keys()];
  const answers = await Promise.all(indexes.map(async (index) => index.postings(terms, MOST_POSTINGS)));
  return new Map(terms.map((term, nth) => [term, answers.map((answer) => answer[nth] as Postings)]));
}

/** Words are compared as they were typed, since a misspelt word has no right stem. */
async function likelyTerms(question: Question, missing: readonly string[], indexes: readonly RecallIndex[]): Promise<Map<string, readonly string[]>> {
  const meant = new Map<string, readonly string[]>();
  if (missing.length === 0) return meant;
  for (const word of new Set(question.text.toLowerCase().match(/\p{L}{4,}/gu) ?? [])) {
    if (!analyze(word).some((term) => missing.includes(term))) continue;
    const likely = await termsLike(word, indexes);
    if (likely.length > 0) meant.set(word, likely);
  }
  return meant;
}

function within(candidates: readonly Candidate[], filter: UnitFilter | undefined): readonly Candidate[] {
  const { since = -Infinity, until = Infinity } = filter ?? {};
  if (since === -Infinity && until === Infinity) return candidates;
  return candidates.filter(({ chunk, row }) => {
    const at = chunk.at ?? row.endedAt ?? row.startedAt;
    return at !== undefined && at >= since && at < until;
  });
}

function surroundingsOf(question: Question, { now, files = [], branch }: SearchRequest): Surroundings {
  const all = [...new Set([...filesIn(question.text), ...files])];
  return { now, files: all, quoted: question.quoted, ...(branch === undefined ? {} : { branch }) };
}

/** One hit a message, one a record or document: the best of its chunks. */
function bestOfEach(hits: readonly Scored[]): Scored[] {
  const best = new Map<string, Scored>();
  for (const hit of hits) {
    const { shelf, row, chunk } = hit.candidate;
    const key = `${shelf.distance} ${row.type} ${row.project ?? ''} ${row.id} ${chunk.messageId ?? ''}`;
    const known = best.get(key);
    if (known === undefined || hit.score > known.score) best.set(key, hit);
  }
  return [...best.values()];
}

async function replacements(hits: readonly Scored[], shelves: readonly Shelf[]): Promise<ReadonlyMap<string, UnitRow>> {
  const found = new Map<string, UnitRow>();
  let wanted = [...new Set(hits.flatMap(({ candidate }) => candidate.row.supersededBy ?? []))];
  while (wanted.length > 0) {
    const rows = (await Promise.all(shelves.map(async ({ index }) => index.recordsNamed(wanted)))).flat();
    for (const row of rows) found.set(row.id, row);
    wanted = [...new Set(rows.flatMap((row) => (row.supersededBy === undefined || found.has(row.supersededBy) ? [] : [row.supersededBy])))];
  }
  return found;
}

/** A current record that shares no word with the question, found through the one it replaced. */
function broughtIn(old: Scored, row: UnitRow, surroundings: Surroundings): Scored {
  const chunk: ChunkRow = { id: 0, text: row.title };
  const candidate: Candidate = { ...old.candidate, row, chunk, own: 0, near: 0 };
  const parts = signalsOf(candidate, surroundings);
  return { candidate, register: registerOf(candidate), parts, score: sumOf(parts) };
}
