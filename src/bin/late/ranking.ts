import { join } from 'node:path';
import { SqliteInjectionLog } from '../../adapters/sqlite/injections.ts';
import { INJECTIONS_FILE } from '../compose/places.ts';

/** What a search needs where there are conversations, several projects, feedback, or a question that takes a closer look. */
export { RANKING } from '../../app/search/ranking.ts';
export { messagesOf } from '../compose/episode-shelf.ts';
export const feedbackIn = (state: string): SqliteInjectionLog => new SqliteInjectionLog(join(state, INJECTIONS_FILE));
