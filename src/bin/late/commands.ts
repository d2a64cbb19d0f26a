/** The commands that have no bundle of their own: loaded when one of them is called. */
export { ALL } from '../../edges/cli/commands/all.ts';
