import { categoryFrom, CATEGORIES, type Category } from '../../core/record/category.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import type { Arguments } from './command.ts';

const CHOICE = { hint: `one of ${CATEGORIES.join(', ')}`, fields: ['category'] } as const;

/** A category as people type it: `decision`, `decisions`, `tech-debt`. */
export function categoryNamed(word: string): Result<Category> {
  const category = categoryFrom(word);
  return category ? ok(category) : refuse('VALIDATION_ERROR', `${JSON.stringify(word)} is no category`, CHOICE);
}

/** What `--category` says, for a command that cannot do without. */
export function categoryOption(args: Arguments, needs: string): Result<Category> {
  const word = args.text('category');
  return word === undefined ? refuse('VALIDATION_ERROR', `${needs} needs --category`, CHOICE) : categoryNamed(word);
}
