/** What recall needs beyond a search: loaded when an agent, or somebody in its place, asks. */
export { brief } from '../../edges/cli/commands/inject/brief.ts';
export { recall } from '../../edges/cli/commands/inject/recall.ts';
export { why } from '../../edges/cli/commands/inject/why.ts';
export { withMessages } from '../compose/recall-ranking.ts';
export { bearingsFor } from '../compose/recall.ts';
