import type { ChunkRow, RecallIndex, UnitRow } from '../port.ts';
import type { ScoredHit } from './rank-chunks.ts';
import { type ScorePart, registerOf, sumOf } from './score.ts';
import { filesIn, signalsOf } from './signals.ts';
import { MEANING } from './weights.ts';
import { NO_PHRASE_MATCH } from './phrase-match.ts';

/** A text that is near a question in meaning, whether or not it shares a word with it. */
export interface NearText {
  readonly index: RecallIndex;
  readonly distance: number;
  readonly row: UnitRow;
  readonly chunk: ChunkRow;
  /** Cosine, from -1 to 1. */
  readonly near: number;
}

export interface MeaningQuery {
  readonly text: string;
  readonly limit: number;
  readonly now: number;
  readonly files?: readonly string[];
  readonly branch?: string;
}

const NO_UNIT = { unit: 0, prose: 0, bestThree: 0, bestReply: 0, bestCommand: 0 };
const NO_SIZE = { chunks: 0, units: 0, terms: 0 };

/** What words found and what is near in meaning as one list: a place among the nearest earns points, whoever else found it. */
export function withMeaning(hits: readonly ScoredHit[], texts: readonly NearText[], asked: MeaningQuery): ScoredHit[] {
  const numbers = new Map<RecallIndex, number>();
  const key = (index: RecallIndex, unit: number, message: string | undefined): string => {
    if (!numbers.has(index)) numbers.set(index, numbers.size);
    return `${numbers.get(index)} ${unit} ${message ?? ''}`;
  };
  const fused = new Map(hits.map((hit) => [key(hit.candidate.part.index, hit.candidate.row.unit, hit.candidate.chunk.messageId), hit]));
  const counted = new Set<string>();
  for (const text of texts.toSorted((a, b) => b.near - a.near)) {
    const name = key(text.index, text.row.unit, text.chunk.messageId);
    if (counted.has(name)) continue;
    const points = (MEANING.points * MEANING.ranks) / (MEANING.ranks + counted.size);
    counted.add(name);
    const hit = fused.get(name) ?? foundByMeaning(text, asked);
    const parts: readonly ScorePart[] = [...hit.parts, { signal: 'meaning', value: text.near, points }];
    fused.set(name, { ...hit, parts, score: sumOf(parts) });
  }
  return [...fused.values()].toSorted((a, b) => b.score - a.score).slice(0, asked.limit);
}

/** Without a shared word it has nothing but what it is. */
function foundByMeaning({ index, distance, row, chunk }: NearText, { text, now, files = [], branch }: MeaningQuery): ScoredHit {
  const candidate = {
    part: { nth: -1, index, distance, size: NO_SIZE },
    row,
    chunk,
    unit: NO_UNIT,
    wording: NO_PHRASE_MATCH,
    own: 0,
    near: 0,
    covered: 0,
    coveredNear: 0,
    rank: 0,
  };
  const parts = signalsOf(candidate, { now, named: filesIn(text), open: files, quoted: [], ...(branch !== undefined && { branch }) });
  return { candidate, register: registerOf(candidate), parts, score: sumOf(parts), coverage: 0 };
}
