import type { Arguments, Cli } from './command.ts';

export const WITH_QUARANTINED = {
  name: 'quarantined',
  about: 'in the shell of an agent: also what came from tools or pages and is not confirmed; a person always sees it, labelled',
} as const;

/** Whether a command keeps quarantined records to itself: an agent reads what it prints. */
export const withholds = (cli: Pick<Cli, 'actor'>, args: Arguments): boolean => cli.actor === 'shell' && !args.flag('quarantined');
