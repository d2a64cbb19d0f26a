/** Summaries, drafts, reports, the synthesis, other memories: loaded when one of these commands is called. */
export { SELDOM } from '../../edges/cli/commands/seldom.ts';
