/** Drafting with or without a model: loaded by the commands that draft, summarise or consolidate. */
export { openScribe } from '../compose/scribe.ts';
