/** Conversations: loaded by the commands that bring them in or show them. */
export { openEpisodes } from '../compose/episodes.ts';
export { remakeStore } from '../compose/episode-store.ts';
export { excludedFrom } from '../compose/excluded.ts';
