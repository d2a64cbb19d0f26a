import { existsSync, statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { Checkout } from '../../core/ports/machine.ts';
import { blobHash, currentBranch, headCommit } from './refs.ts';
import { repositoryHolding } from './repository.ts';

/** The working tree of a project. `isInside` tells whether a path stays in it: a record may name any path, and a clone may bring the record. */
export const checkoutAt = (worktree: string, isInside: (path: string) => boolean): Checkout => ({
  exists: (path) => existsSync(resolve(worktree, path)),
  changedAt: (path) => statSync(resolve(worktree, path), { throwIfNoEntry: false })?.mtimeMs,
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
