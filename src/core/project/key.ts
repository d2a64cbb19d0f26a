import type { Md5 } from '../ports/digest.ts';
import { tidyPath } from './hash.ts';
import { isReservedName } from './reserved.ts';
import { SLUG_LIMIT, slugify, slugOr } from './slug.ts';

/** Dots stay, so that a folder made to the older rule (lower case, underscores to hyphens) keeps its key. */
const dotted = (name: string): string =>
  name
    .split('.')
    .map(slugify)
    .filter(Boolean)
    .join('.')
    .slice(0, SLUG_LIMIT)
    .replace(/[.-]+$/, '');

/** The readable name of a project: its folder's name in lower case with hyphens. */
export function projectKey(path: string, md5: Md5): string {
  const name = tidyPath(path).split('/').at(-1) ?? '';
  if (name === '' || /^[A-Za-z]:$/.test(name)) return 'root';
  const key = dotted(name) || slugOr(name, md5);
  return isReservedName(key) ? `${key.replaceAll('.', '-')}-project` : key;
}
