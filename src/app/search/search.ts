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

const LOOKED_AT = 8;

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
    .search(terms, { kind: 'record' }, LOOKED_AT)
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
  /** Files open in the work. */
  readonly files?: readonly string[];
  /** Leaves out quarantined items; for agents. */
  readonly withholds?: boolean;
  /** Called with the parts that could not be searched. */
  readonly warn?: (what: string) => void;
}

/** One memory to search, and what belongs to it. */
export interface SearchPlace {
  readonly memory: Memory;
  /** Its conversations; asked for only when messages are wanted. */
  readonly messages?: () => Answer<RecallIndex | undefined>;
  /** The texts nearest in meaning, if an embedder is set up. */
  readonly nearby?: NearPlace['nearby'];
  /** How its records were received. */
  readonly log?: Pick<InjectionLog, 'receptionOf'>;
  /** Steps from the current project. */
  readonly distance?: number;
  /** The identity of a project when several are searched: clones of one repository count as one. */
  readonly repository?: string;
}

/** The ranking that looks closer than an index does. Most searches of records alone do without it, and do not wait for it to load. */
export interface SearchRanker {
  readonly rank: typeof rank;
  readonly nearTexts: typeof nearTexts;
}

/** Items that are looked at closely, beyond as many as are shown. */
const POOL = 6;

/** Finds records, documents and messages in one ranked list. */
export async function searchWith(ranking: () => Answer<SearchRanker>, places: readonly SearchPlace[], request: SearchRequest): Promise<readonly Hit[]> {
  const { kind = 'all', category } = request;
  const [items, messages] = [kind !== 'message', (kind === 'all' || kind === 'message') && category === undefined];
  const asked: Asked = { ranking, places, request, items, terms: analyze(request.query) };
  const once = async (): Promise<readonly Hit[]> => {
    if (items) for (const { memory } of places) await catchUp(memory, 'sweep');
    const found = await openly(asked, messages);
    const changed = await anyChanged(found);
    const all = changed ? await openly(asked, messages) : found;
    const shown = request.withholds === true && all.hits.some(isHeld) ? await withoutHeld(asked, messages) : all;
    return shown.hits.map((hit) => hitOf(hit, { terms: asked.terms, explains: request.explain === true, ...placeOf(hit, shown) }));
  };
  return items ? guardedAll(places, once) : once();
}

const isHeld = ({ candidate }: ScoredHit): boolean => isQuarantined(candidate.row.trust);

/** As many hits as were asked for, however many of the first are held back. */
async function withoutHeld(asked: Asked, messages: boolean): Promise<Found> {
  const { request, places } = asked;
  const held = places.reduce((sum, { memory }) => sum + memory.index.items({ kind: 'record' }).filter(({ trust }) => isQuarantined(trust)).length, 0);
  const found = await openly({ ...asked, request: { ...request, limit: request.limit + held } }, messages);
  return { ...found, hits: found.hits.filter((hit) => !isHeld(hit)).slice(0, request.limit) };
}

/** A damaged index is made again, whichever it is. */
const guardedAll = (places: readonly SearchPlace[], work: () => Promise<readonly Hit[]>): Promise<readonly Hit[]> =>
  places.reduce<() => Promise<readonly Hit[]>>(
    (inner, { memory }) =>
      () =>
        memory.index.guarded(inner, () => refresh(memory, 'everything')),
    work,
  )();

/** One question, with what is needed to answer it. */
interface Asked {
  readonly ranking: () => Answer<SearchRanker>;
  readonly places: readonly SearchPlace[];
  readonly request: SearchRequest;
  /** Whether records and documents are wanted. */
  readonly items: boolean;
  readonly terms: readonly string[];
}

/** A problem with the index of messages must not hide the records. */
async function openly(asked: Asked, messages: boolean): Promise<Found> {
  try {
    return await ranked(asked, messages);
  } catch (cause) {
    if (!messages || !isFailure(cause)) throw cause;
    asked.request.warn?.(`messages were left out: ${cause.message}${cause.hint === undefined ? '' : `; ${cause.hint}`}`);
    return ranked(asked, false);
  }
}

interface Found {
  readonly hits: readonly ScoredHit[];
  readonly recordIndexes: ReadonlyMap<RecallIndex, { readonly memory: Memory; readonly records: RecordSearchIndex }>;
}

async function ranked({ ranking, places, request, items, terms }: Asked, messages: boolean): Promise<Found> {
  const { query: text, limit, files } = request;
  const searched: SearchedIndex[] = [];
  const near: NearPlace[] = [];
  const recordIndexes = new Map<RecallIndex, { readonly memory: Memory; readonly records: RecordSearchIndex }>();
  for (const place of places) {
    const { memory, distance = 0, repository } = place;
    const whose = { distance, ...(repository !== undefined && { repository }) };
    const records = items ? recordIndex(place, request) : undefined;
    if (records) {
      searched.push({ index: records, ...whose });
      recordIndexes.set(records, { memory, records });
    }
    const messageIndex = messages ? await place.messages?.() : undefined;
    if (messageIndex) searched.push({ index: messageIndex, ...whose });
    if (place.nearby)
      near.push({
        memory,
        nearby: place.nearby,
        ...(records && { items: { records, filter: itemFilter(request) } }),
        ...(messageIndex && { messages: { index: messageIndex, filter: timesOf(request).filter ?? {} } }),
      });
  }
  const [first] = places;
  const anchor = anchorIn(places.map(({ memory }) => memory));
  const question = {
    text,
    limit,
    now: first?.memory.now() ?? 0,
    anchor,
    ...timesOf(request),
    ...(files && { files }),
  };
  const texts = near.length === 0 ? [] : await (await ranking()).nearTexts(near, text, (what) => request.warn?.(what));
  const asked = { ...question, near: texts };
  const { hits } = (await plainly(searched, asked, terms)) ?? (await (await ranking()).rank(searched, asked));
  return { hits, recordIndexes };
}

/** Beginnings of words and phrases in quotation marks. */
const SPECIAL = /[*"“]/;
/** A pasted text is looked at more closely. */
const MOST_PLAIN = 30;

/** This many known words are enough for a search; a shorter question needs the misspelt one too. */
const ENOUGH = 3;

/** Where there are records and documents of one memory only, and the words stand there as they were typed, the index's own ranking is as good and much cheaper. */
async function plainly(searched: readonly SearchedIndex[], question: Question, analysed: readonly string[]): Promise<SearchResult | undefined> {
  const [only, other] = searched;
  if (other !== undefined || !(only?.index instanceof RecordSearchIndex)) return undefined;
  if (SPECIAL.test(question.text) || timeIn(question.text, question) !== undefined) return undefined;
  const terms = [...new Set(analysed)];
  if (terms.length === 0 || terms.length > MOST_PLAIN) return undefined;
  const held = only.index.held(terms);
  if (held < terms.length && held < Math.max(ENOUGH, terms.length / 2)) return undefined;
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
    pool: POOL + request.limit,
    ...(log && { log }),
  });
}

/** Items are filtered where they are found; only messages are left, and only by time. */
function timesOf({ since, until }: SearchRequest): { readonly filter?: UnitFilter } {
  const [from, to] = [epochOf(since), epochOf(until)];
  return from === undefined && to === undefined ? {} : { filter: { ...(from !== undefined && { since: from }), ...(to !== undefined && { until: to }) } };
}

/** The file of a record or document with what it says, or the transcript that a message came from. */
function placeOf({ candidate: { part, row, chunk } }: ScoredHit, { recordIndexes }: Found): Pick<HitView, 'file' | 'from' | 'body'> {
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

/** Looks again at the files behind the hits; what has changed has to be ranked anew. */
async function anyChanged({ hits, recordIndexes }: Found): Promise<boolean> {
  let changed = false;
  for (const [index, { memory, records }] of recordIndexes) {
    const behind = hits.filter(({ candidate }) => candidate.part.index === index).flatMap(({ candidate }) => records.item(candidate.row.unit) ?? []);
    if (await verifyFiles(memory, behind)) changed = true;
  }
  return changed;
}
