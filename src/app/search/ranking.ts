import type { ItemFilter } from '../../core/ports/index.ts';
import type { Result } from '../../core/result.ts';
import { unitOf } from '../../recall/chunks/split-text.ts';
import type { RecallIndex, UnitFilter } from '../../recall/port.ts';
import type { NearText } from '../../recall/rank/meaning.ts';
import type { Nearby } from '../embedding/nearby.ts';
import { placeOfLabel } from '../embedding/embed.ts';
import type { Memory } from '../memory/memory.ts';
import type { RecordSearchIndex } from './record-index.ts';
import { rankChunks } from '../../recall/rank/rank-chunks.ts';
import type { Hit } from './hit.ts';
import { type SearchRanker, type SearchPlace, type SearchRequest, searchWith } from './search.ts';

/** A memory whose texts have vectors, with the parts that a search may find. */
export interface NearPlace {
  readonly memory: Memory;
  readonly nearby: (question: string, limit: number) => Promise<Result<Nearby>>;
  readonly items?: { readonly records: RecordSearchIndex; readonly filter: ItemFilter };
  readonly messages?: { readonly index: RecallIndex; readonly filter: UnitFilter };
}

/** So many texts of one kind count as near. */
const MAX_NEAR_TEXTS = 200;

/** The texts nearest in meaning to a question. If the embedder does not answer, warns and returns none, so that only words count. */
export async function nearTexts(places: readonly NearPlace[], question: string, warn: (what: string) => void): Promise<readonly NearText[]> {
  const texts: NearText[] = [];
  for (const place of places) {
    const nearby = await place.nearby(question, MAX_NEAR_TEXTS);
    if (!nearby.ok) {
      warn(`search works by words only: ${nearby.error.message}`);
      return [];
    }
    texts.push(...nearItems(place, nearby.value), ...(await nearMessages(place, nearby.value)));
  }
  return texts;
}

function nearItems({ memory, items }: NearPlace, nearby: Nearby): NearText[] {
  if (items === undefined || nearby.items.length === 0) return [];
  return nearby.items.flatMap(({ label, score }) => {
    const item = label === undefined ? undefined : memory.index.itemAt(placeOfLabel(label), items.filter);
    if (item === undefined) return [];
    return [
      {
        index: items.records,
        row: items.records.rowOf(item),
        chunk: { id: 0, text: longestLine(item.body) || item.title },
        near: score,
      },
    ];
  });
}

/** For a snippet of a text that shares no word with the question. */
const longestLine = (text: string): string => text.split('\n').reduce((best, line) => (line.length > best.length ? line : best), '');

async function nearMessages({ messages }: NearPlace, nearby: Nearby): Promise<NearText[]> {
  if (messages === undefined || nearby.messages.length === 0) return [];
  const { index, filter } = messages;
  const { since = -Infinity, until = Infinity } = filter;
  const chunks = new Map((await index.chunks(nearby.messages.map(({ key }) => key))).map((chunk) => [chunk.id, chunk]));
  const rows = new Map((await index.units([...new Set([...chunks.keys()].map(unitOf))])).map((row) => [row.unit, row]));
  return nearby.messages.flatMap(({ key, score }) => {
    const [chunk, row] = [chunks.get(key), rows.get(unitOf(key))];
    if (chunk === undefined || row === undefined) return [];
    const at = chunk.at ?? row.endedAt;
    const isWithin = (since === -Infinity && until === Infinity) || (at !== undefined && at >= since && at < until);
    return isWithin ? [{ index, row, chunk, near: score }] : [];
  });
}

/** Only a search of all projects loads the code that ranks between projects. */
const rank: SearchRanker['rank'] = async (searched, request) =>
  searched.some(({ repository }) => repository !== undefined)
    ? (await import('../../recall/rank/rank-projects.ts')).rankProjects(searched, request)
    : rankChunks(searched, request);

export const RANKING: SearchRanker = { rank, nearTexts };

/** The search of a program that has loaded all of ranking. */
export const searchMemory = (places: readonly SearchPlace[], request: SearchRequest): Promise<readonly Hit[]> => searchWith(() => RANKING, places, request);
