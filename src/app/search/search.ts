import type { InjectionLog } from '../../core/ports/injection-log.ts';
import { epochOf } from '../../core/instant.ts';
import { analyze } from '../../recall/text/analyze.ts';
import type { Memory } from '../memory/memory.ts';
import type { ItemFilter } from '../../core/ports/index.ts';
import { isQuarantined } from '../../core/trust/trust.ts';
import { isFailure } from '../../core/failure.ts';
import type { Answer, RecallIndex, UnitFilter } from '../../recall/port.ts';
import { timeIn } from '../../recall/query/time.ts';
import {
  type ScoredHit,
  rankMatches,
  type rankChunks as rank,
  type SearchedIndex,
  type RankRequest as Question,
  type SearchResult,
} from '../../recall/rank/rank-chunks.ts';
import { catchUp } from '../index/catch-up.ts';
import { refresh, verifyFiles } from '../index/refresh.ts';
import { type Hit, hitOf, type HitView } from './hit.ts';
import { RecordSearchIndex } from './record-index.ts';
import type { NearPlace, nearTexts } from './ranking.ts';

const MAX_ANCHORS = 8;

/** When something named in a question happened, such as "the release": the time of the newest record whose title names it. */
function anchorIn(memories: readonly Memory[]): (words: string) => number | undefined {
  return (words) => {
    const all = words.split(' ');
    for (let length = all.length; length > 0; length--) {
      const terms = [...new Set(analyze(all.slice(0, length).join(' ')))];
      const times = terms.length === 0 ? [] : memories.flatMap((memory) => anchorTimes(memory, terms));
      if (times.length > 0) return Math.max(...times);
    }
    return undefined;
  };
}

function anchorTimes(memory: Memory, terms: readonly string[]): number[] {
  return memory.index
    .search(terms, { kind: 'record' }, MAX_ANCHORS)
    .filter(({ item }) => {
      const title = new Set(analyze(item.title));
      return terms.every((term) => title.has(term));
    })
    .flatMap(({ item }) => epochOf(item.createdAt) ?? []);
}

export type HitKind = Hit['kind'] | 'all';

export interface SearchRequest {
  readonly query: string;
  readonly limit: number;
  readonly kind?: HitKind;
  readonly category?: NonNullable<ItemFilter['category']>;
  /** Instants: `since` is included, `until` is not. */
  readonly since?: string;
  readonly until?: string;
  readonly includeRetired?: boolean;
  readonly explain?: boolean;
  /** Files open in the session. */
  readonly files?: readonly string[];
  /** Leaves out quarantined items; for agents. */
  readonly withholds?: boolean;
  /** Called with the parts that could not be searched. */
  readonly warn?: (what: string) => void;
}

/** A memory to search. */
export interface SearchPlace {
  readonly memory: Memory;
  /** Its conversations; opened only when messages are searched. */
  readonly messages?: () => Answer<RecallIndex | undefined>;
  /** The texts nearest in meaning, if an embedder is set up. */
  readonly nearby?: NearPlace['nearby'];
  /** The feedback on its records. */
  readonly log?: Pick<InjectionLog, 'receptionOf'>;
  /** Distance from the current project. */
  readonly distance?: number;
  /** The identity of a project when several are searched: clones of one repository count as one. */
  readonly repository?: string;
}

/** Ranks by more than an index does. Most searches of records do without it, and do not wait for it to load. */
export interface SearchRanker {
  readonly rank: typeof rank;
  readonly nearTexts: typeof nearTexts;
}

/** So many more items are ranked than shown. */
const EXTRA_CANDIDATES = 6;

/** Finds records, documents and messages in one ranked list. */
export async function searchWith(ranking: () => Answer<SearchRanker>, places: readonly SearchPlace[], request: SearchRequest): Promise<readonly Hit[]> {
  const { kind = 'all', category } = request;
  const [items, messages] = [kind !== 'message', (kind === 'all' || kind === 'message') && category === undefined];
  const question: SearchQuestion = { ranking, places, request, items, terms: analyze(request.query) };
  const searchOnce = async (): Promise<readonly Hit[]> => {
    if (items) for (const { memory } of places) await catchUp(memory, 'sweep');
    const first = await searchLeniently(question, messages);
    const current = (await anyChanged(first)) ? await searchLeniently(question, messages) : first;
    const result = request.withholds === true && current.hits.some(isWithheld) ? await withoutWithheld(question, messages) : current;
    return result.hits.map((hit) => hitOf(hit, { terms: question.terms, explains: request.explain === true, ...placeOf(hit, result) }));
  };
  return items ? rebuildingDamaged(places, searchOnce) : searchOnce();
}

const isWithheld = ({ candidate }: ScoredHit): boolean => isQuarantined(candidate.row.trust);

/** The requested number of hits, without quarantined ones. */
async function withoutWithheld(question: SearchQuestion, messages: boolean): Promise<FoundHits> {
  const { request, places } = question;
  const quarantined = places.reduce((sum, { memory }) => sum + memory.index.items({ kind: 'record' }).filter(({ trust }) => isQuarantined(trust)).length, 0);
  const result = await searchLeniently({ ...question, request: { ...request, limit: request.limit + quarantined } }, messages);
  return { ...result, hits: result.hits.filter((hit) => !isWithheld(hit)).slice(0, request.limit) };
}

/** Makes a damaged index of any place again, and repeats the search. */
const rebuildingDamaged = (places: readonly SearchPlace[], work: () => Promise<readonly Hit[]>): Promise<readonly Hit[]> =>
  places.reduce<() => Promise<readonly Hit[]>>(
    (inner, { memory }) =>
      () =>
        memory.index.guarded(inner, () => refresh(memory, 'everything')),
    work,
  )();

/** A search with its analysed question. */
interface SearchQuestion {
  readonly ranking: () => Answer<SearchRanker>;
  readonly places: readonly SearchPlace[];
  readonly request: SearchRequest;
  /** Whether records and documents are wanted. */
  readonly items: boolean;
  readonly terms: readonly string[];
}

/** Searches without messages if their index cannot be read, so that the records are still found. */
async function searchLeniently(question: SearchQuestion, messages: boolean): Promise<FoundHits> {
  try {
    return await rankAll(question, messages);
  } catch (cause) {
    if (!messages || !isFailure(cause)) throw cause;
    question.request.warn?.(`messages were left out: ${cause.message}${cause.hint === undefined ? '' : `; ${cause.hint}`}`);
    return rankAll(question, false);
  }
}

interface FoundHits {
  readonly hits: readonly ScoredHit[];
  readonly recordIndexes: ReadonlyMap<RecallIndex, { readonly memory: Memory; readonly records: RecordSearchIndex }>;
}

async function rankAll({ ranking, places, request, items, terms }: SearchQuestion, messages: boolean): Promise<FoundHits> {
  const { query: text, limit, files } = request;
  const searched: SearchedIndex[] = [];
  const near: NearPlace[] = [];
  const recordIndexes = new Map<RecallIndex, { readonly memory: Memory; readonly records: RecordSearchIndex }>();
  for (const place of places) {
    const { memory, distance = 0, repository } = place;
    const origin = { distance, ...(repository !== undefined && { repository }) };
    const records = items ? recordIndex(place, request) : undefined;
    if (records) {
      searched.push({ index: records, ...origin });
      recordIndexes.set(records, { memory, records });
    }
    const messageIndex = messages ? await place.messages?.() : undefined;
    if (messageIndex) searched.push({ index: messageIndex, ...origin });
    if (place.nearby)
      near.push({
        memory,
        nearby: place.nearby,
        ...(records && { items: { records, filter: itemFilter(request) } }),
        ...(messageIndex && { messages: { index: messageIndex, filter: timeFilter(request).filter ?? {} } }),
      });
  }
  const [first] = places;
  const anchor = anchorIn(places.map(({ memory }) => memory));
  const question = {
    text,
    limit,
    now: first?.memory.now() ?? 0,
    anchor,
    ...timeFilter(request),
    ...(files && { files }),
  };
  const texts = near.length === 0 ? [] : await (await ranking()).nearTexts(near, text, (what) => request.warn?.(what));
  const rankRequest = { ...question, near: texts };
  const { hits } = (await rankByIndex(searched, rankRequest, terms)) ?? (await (await ranking()).rank(searched, rankRequest));
  return { hits, recordIndexes };
}

/** Prefixes (`word*`) and quoted phrases. */
const SPECIAL_SYNTAX = /[*"“]/;
/** A pasted text has more terms; it needs the full ranking. */
const MAX_PLAIN_TERMS = 30;

/** This many known words are enough for a search; a shorter question needs the misspelt one too. */
const MIN_KNOWN_TERMS = 3;

/** Ranks records and documents of a single memory by the index alone, which is as good and much cheaper if the words occur as they were typed. */
async function rankByIndex(searched: readonly SearchedIndex[], question: Question, analysed: readonly string[]): Promise<SearchResult | undefined> {
  const [only, other] = searched;
  if (other !== undefined || !(only?.index instanceof RecordSearchIndex)) return undefined;
  if (SPECIAL_SYNTAX.test(question.text) || timeIn(question.text, question) !== undefined) return undefined;
  const terms = [...new Set(analysed)];
  if (terms.length === 0 || terms.length > MAX_PLAIN_TERMS) return undefined;
  const known = only.index.countKnownTerms(terms);
  if (known < terms.length && known < Math.max(MIN_KNOWN_TERMS, terms.length / 2)) return undefined;
  return rankMatches(only.index, only.index.matches(terms), question);
}

const itemFilter = ({ kind, category, since, until, includeRetired }: SearchRequest): ItemFilter => ({
  ...(!includeRetired && { status: 'active' as const }),
  ...((kind === 'record' || kind === 'document') && { kind }),
  ...(category && { category }),
  ...(since !== undefined && { since }),
  ...(until !== undefined && { until }),
});

function recordIndex({ memory, log }: SearchPlace, request: SearchRequest): RecordSearchIndex {
  return new RecordSearchIndex({
    index: memory.index,
    project: memory.key,
    filter: itemFilter(request),
    pool: EXTRA_CANDIDATES + request.limit,
    ...(log && { log }),
  });
}

/** The index filters items; messages are filtered here, by time only. */
function timeFilter({ since, until }: SearchRequest): { readonly filter?: UnitFilter } {
  const [from, to] = [epochOf(since), epochOf(until)];
  return from === undefined && to === undefined ? {} : { filter: { ...(from !== undefined && { since: from }), ...(to !== undefined && { until: to }) } };
}

/** The file of a record or document with what it says, or the transcript that a message came from. */
function placeOf({ candidate: { part, row, chunk } }: ScoredHit, { recordIndexes }: FoundHits): Pick<HitView, 'file' | 'from' | 'body'> {
  const known = recordIndexes.get(part.index);
  const item = known?.records.item(row.unit);
  if (!known || !item) return { file: row.file ?? '' };
  const body = chunk.text.trim() === row.title ? known.memory.index.itemAt(item)?.body : undefined;
  return {
    file: known.memory.store.absolute(item),
    ...(body !== undefined && { body }),
    ...((item.root === 'shared' || item.root === 'folder') && { from: 'repository' as const }),
  };
}

/** Whether a file behind the hits has changed, so that the search has to be repeated. */
async function anyChanged({ hits, recordIndexes }: FoundHits): Promise<boolean> {
  let changed = false;
  for (const [index, { memory, records }] of recordIndexes) {
    const items = hits.filter(({ candidate }) => candidate.part.index === index).flatMap(({ candidate }) => records.item(candidate.row.unit) ?? []);
    if (await verifyFiles(memory, items)) changed = true;
  }
  return changed;
}
