/** Conversations: loaded by the commands that bring them in or show them. The first of these needs little else. */
export { importConversations } from '../../edges/cli/commands/conversations/import.ts';
export { openEpisodes } from '../compose/episodes.ts';
export { remakeStore } from '../compose/episode-store.ts';
export { excludedFrom } from '../compose/excluded.ts';
