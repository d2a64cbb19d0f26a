/** Every command but the search: loaded when one of them is called. */
export { ALL } from '../../edges/cli/commands/all.ts';
