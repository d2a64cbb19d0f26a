import type { ItemFacts } from '../../core/ports/index.ts';
import type { FileRef } from '../../core/ports/store.ts';
import { isSlug } from '../../core/project/slug.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { profileEntries, type ProfileEntry } from '../../render/documents/profile.ts';
import { catchUp } from '../index/catch-up.ts';
import { PENDING, documentText } from '../documents/read.ts';
import type { Memory } from '../memory/memory.ts';

/** The predefined categories of a profile, in display order; any other word makes a new category. */
export const FIRST_CATEGORIES = ['profile', 'preferences', 'feedback'] as const;

/** The file of a profile category. In this folder, `user` is the user's own memory. */
export function categoryPlace(category: string): Result<FileRef> {
  if (isSlug(category) && category !== 'index') return ok({ root: 'user', path: `${category}.md` });
  return refuse('USAGE_ERROR', `${JSON.stringify(category.slice(0, 80))} cannot be a category`, {
    hint: 'lower-case letters, digits and hyphens, such as code-style',
  });
}

export interface ProfileCategory {
  readonly category: string;
  readonly text: string;
  readonly entries: readonly ProfileEntry[];
}

/** Every category, the predefined ones first. */
export async function readProfile(user: Memory): Promise<readonly ProfileCategory[]> {
  await catchUp(user);
  const categories = user.index.items({ kind: 'document', root: 'user' }).map(({ path }) => path.replace(/\.md$/, ''));
  const rank = (category: string): number => FIRST_CATEGORIES.findIndex((first) => first === category) >>> 0;
  const sorted = categories.filter((path) => !path.includes('/')).toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  const profile: ProfileCategory[] = [];
  for (const category of sorted) {
    const text = await documentText(user, { root: 'user', path: `${category}.md` });
    profile.push({ category, text, entries: profileEntries(text) });
  }
  return profile;
}

/** Records that apply to every project, by category and name. */
export const readRecords = (user: Memory): readonly ItemFacts[] =>
  user.index.items({ kind: 'record', root: 'user', status: 'active' }).toSorted((a, b) => (a.path < b.path ? -1 : 1));

/** Observations that wait for the user's confirmation. */
export const readPending = async (user: Memory): Promise<readonly ProfileEntry[]> => profileEntries(await documentText(user, PENDING));
