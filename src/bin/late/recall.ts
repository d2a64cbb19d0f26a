/** What recall needs beyond a search: loaded when an agent, or somebody in its place, asks. */
export { withMessages } from '../compose/recall-ranking.ts';
export { bearingsFor } from '../compose/recall.ts';
