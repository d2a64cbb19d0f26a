import { createHash } from 'node:crypto';
import type { FolderFacts, IdentityRule } from '../../../src/core/project/folder.ts';
import { type Project, resolveProject, rememberProject } from '../../../src/core/project/identity.ts';
import { EMPTY_REGISTRY, type Registry } from '../../../src/core/project/registry.ts';

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
const now = Date.parse('2026-03-01T00:00:00Z');

/** A machine with folders that come and go, and a registry that remembers what was seen. */
export class Machine {
  registry: Registry = EMPTY_REGISTRY;
  readonly gone = new Set<string>();
  asked = 0;
  clock = now;

  see(facts: FolderFacts, rule: IdentityRule = 'repository', ownerOf?: (key: string) => string | undefined): Project {
    const counted = { ...facts, firstCommit: () => ((this.asked += 1), facts.firstCommit?.()) };
    const exists = (path: string): boolean => ![...this.gone].some((away) => path === away || path.startsWith(`${away}/`));
    const project = resolveProject(counted, this.registry.projects, { rule, md5, exists, ...(ownerOf ? { ownerOf } : {}) });
    this.clock += 1000;
    this.registry = rememberProject(this.registry, project, facts, this.clock);
    return project;
  }
}

export const repo = (root: string, more: Partial<FolderFacts> & { url?: string; root0?: string } = {}): FolderFacts => {
  const { url, root0, ...facts } = more;
  return {
    path: root,
    gitCommonDir: `${root}/.git`,
    gitDir: `${root}/.git`,
    worktree: root,
    mainWorktree: root,
    ...(url === undefined ? {} : { remote: () => url }),
    ...(root0 === undefined ? {} : { firstCommit: () => root0 }),
    ...facts,
  };
};
export const linked = (root: string, name: string, path = `${root}-${name}`): FolderFacts =>
  repo(root, { path, worktree: path, gitDir: `${root}/.git/worktrees/${name}` });
