import { withMeaning } from '../../recall/rank/meaning.ts';
import { search as rank } from '../../recall/search.ts';
import type { Hit } from './hit.ts';
import { nearTexts } from './near.ts';
import { type Ranking, type SearchPlace, type SearchRequest, searchWith } from './search.ts';

export const RANKING: Ranking = { rank, withMeaning, nearTexts };

/** The search of a program that has all of ranking at hand. */
export const search = (places: readonly SearchPlace[], request: SearchRequest): Promise<readonly Hit[]> => searchWith(() => RANKING, places, request);
