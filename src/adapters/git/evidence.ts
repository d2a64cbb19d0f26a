import { relative, resolve } from 'node:path';
import type { Evidence } from '../../core/record/schema.ts';
import { blobHash } from './refs.ts';
import { headCommit } from './refs.ts';
import { repositoryHolding } from './repository.ts';

/** State of related files now: git's name for their content, and the commit they were seen at. */
export function evidenceIn(worktree: string, paths: readonly string[], isInside: (path: string) => boolean): readonly Evidence[] {
  if (paths.length === 0) return [];
  const repository = repositoryHolding(worktree);
  const commit = repository && headCommit(repository);
  return paths.flatMap((file) => {
    const path = resolve(worktree, file);
    // A record may name any path, and a clone may bring the record: nothing outside the checkout is looked at.
    const blob = isInside(relative(worktree, path)) ? blobHash(path) : undefined;
    return blob === undefined ? [] : [{ path: file, blob, ...(commit !== undefined && { commit }) }];
  });
}
