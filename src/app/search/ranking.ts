import { withMeaning } from '../../recall/rank/meaning.ts';
import { rankChunks as rank } from '../../recall/rank/rank-chunks.ts';
import type { Hit } from './hit.ts';
import { nearTexts } from './near.ts';
import { type SearchRanker, type SearchPlace, type SearchRequest, searchWith } from './search.ts';

export const RANKING: SearchRanker = { rank, withMeaning, nearTexts };

/** The search of a program that has all of ranking at hand. */
export const searchMemory = (places: readonly SearchPlace[], request: SearchRequest): Promise<readonly Hit[]> => searchWith(() => RANKING, places, request);
