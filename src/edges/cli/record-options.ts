import type { Memory } from '../../app/memory/memory.ts';
import type { RootName } from '../../core/ports/store.ts';
import { categoryFrom, CATEGORIES, type Category } from '../../core/record/category.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import type { Arguments, Cli } from './command.ts';
import { didYouMean } from './errors.ts';

const CHOICE = { hint: `categories: ${CATEGORIES.join(', ')}`, fields: ['category'] } as const;

/** A category as people type it: `decision`, `decisions`, `tech-debt`. */
export function categoryNamed(word: string): Result<Category> {
  const category = categoryFrom(word);
  return category ? ok(category) : refuse('VALIDATION_ERROR', `Unknown category ${JSON.stringify(word)}.${didYouMean(word, CATEGORIES)}`, CHOICE);
}

/** The category that `--category` names, for a command that requires one. */
export function categoryOption(args: Arguments, needs: string): Result<Category> {
  const word = args.text('category');
  return word === undefined ? refuse('VALIDATION_ERROR', `${needs} needs --category.`, CHOICE) : categoryNamed(word);
}

/** The root that `--user`, `--shared` or the setting names, if this memory has it. */
export function rootFor(memory: Memory, args: Arguments): Result<RootName> {
  const root = args.flag('user') ? 'user' : args.flag('shared') ? 'shared' : memory.config.get('storage.root');
  if (memory.store.roots.includes(root)) return ok(root);
  return refuse('USAGE_ERROR', `This memory has no ${root} root.`, {
    hint: 'run the command in a project whose .claude folder is neither the home nor a symbolic link',
  });
}

export const WITH_QUARANTINED = {
  name: 'quarantined',
  about: "in an agent's shell: include what came from tools or pages and is not confirmed; a person always sees it, labelled",
} as const;

/** Whether a command withholds quarantined records, because an agent reads its output. */
export const withholds = (cli: Pick<Cli, 'actor'>, args: Arguments): boolean => cli.actor === 'shell' && !args.flag('quarantined');
