import { readManifests, scanProject } from '../../adapters/files/outside/project-scan.ts';
import { statOf } from '../../adapters/git/read.ts';
import { recentCommits, remotesOf, realGitPath } from '../../adapters/git/repository.ts';
import type { CheckoutState } from '../../app/synthesis/gather.ts';
import type { SurveyProject } from '../../app/workspace/discover.ts';
import { MANIFESTS } from '../../app/workspace/manifest.ts';
import { tidyPath } from '../../core/project/folder.ts';

const RECENT_COMMITS = 50;

/** The project as it is now: its documents, its last commits, what its code is made of. */
export async function checkoutState(worktree: string): Promise<CheckoutState> {
  const scan = scanProject(worktree);
  return scan ? { ...scan, commits: await recentCommits(worktree, RECENT_COMMITS, process.env) } : { docs: [], commits: [], patterns: [], absent: worktree };
}

export const surveyProject: SurveyProject = (key, path) => {
  if (statOf(path) === undefined) return undefined;
  const folder = realGitPath(path);
  return { key, path: tidyPath(folder), manifests: readManifests(folder, MANIFESTS), remotes: remotesOf(folder) };
};
