import type { Stats } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import type { Checkout } from '../../core/ports/machine.ts';
import { blobHash, currentBranch, headCommit } from './refs.ts';
import { statOf } from './read.ts';
import { repositoryHolding } from './repository.ts';

/** Compares paths without resolving links, because every start asks for hundreds of files. */
function statBelow(worktree: string, path: string): Stats | undefined {
  const file = resolve(worktree, path);
  const rest = relative(worktree, file);
  return rest === '' || rest.startsWith('..') || isAbsolute(rest) ? undefined : statOf(file);
}

/** The working tree of a project. `isInside` tells whether a path stays in it: a record from a clone may name any path. */
export const checkoutAt = (worktree: string, isInside: (path: string) => boolean): Checkout => ({
  exists: (path) => statOf(resolve(worktree, path)) !== undefined,
  changedAt: (path) => statBelow(worktree, path)?.mtimeMs,
  evidenceOf: (paths) => {
    if (paths.length === 0) return [];
    const repository = repositoryHolding(worktree);
    const commit = repository && headCommit(repository);
    return paths.flatMap((file) => {
      const path = resolve(worktree, file);
      const blob = isInside(relative(worktree, path)) ? blobHash(path) : undefined;
      return blob === undefined ? [] : [{ path: file, blob, ...(commit !== undefined && { commit }) }];
    });
  },
  branch: () => {
    const repository = repositoryHolding(worktree);
    return repository && currentBranch(repository);
  },
});
