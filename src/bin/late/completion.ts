/** Completion knows every command and its options, so it weighs as much as all of them. */
export { completion } from '../../edges/cli/commands/setup/completion.ts';
