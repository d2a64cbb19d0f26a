import { layerFilesIn } from '../../adapters/files/layer-folder.ts';
import { isOnPath, openSetupFiles, otherPlaces, setupPlaces } from '../../adapters/files/outside/setup-files.ts';
import { readManifests, scanProject } from '../../adapters/files/outside/project-scan.ts';
import { statOf } from '../../adapters/git/read.ts';
import { realGitPath } from '../../adapters/git/repository.ts';
import { recentCommits, remotesOf } from '../../adapters/git/lookup.ts';
import { md5, userHome } from '../../adapters/process/environment.ts';
import type { Environment } from '../../core/ports/host.ts';
import { confirmOnTerminal } from '../../adapters/process/terminal.ts';
import { openDatabase } from '../../adapters/sqlite/binding.ts';
import { type LocatedProject, locateProject } from '../../app/project/locate.ts';
import { clientSetup } from '../../app/setup/apply.ts';
import { type CheckoutState, noCheckout, SELF_DESCRIPTIONS } from '../../app/synthesis/gather.ts';
import type { SurveyProject } from '../../app/workspace/discover.ts';
import { MANIFESTS } from '../../app/workspace/manifest.ts';
import type { LayerFiles } from '../../core/ports/layer-files.ts';
import { tidyPath } from '../../core/project/folder.ts';
import type { Setup } from '../../edges/cli/command.ts';
import { machineAt } from './machine.ts';

const RECENT_COMMITS = 300;

/** CLAUDE.md and MEMORY.md under a home and in the folders of its projects. */
export function openLayerFiles(home: string): LayerFiles {
  const { folders, now } = machineAt({ home });
  const projectKey = (path: string): string | undefined => {
    const located = locateProject(folders, { cwd: path, now });
    return located.ok ? located.value.project.key : undefined;
  };
  return layerFilesIn({ home, md5, openDatabase, projectKey });
}

/** The project as it is now: documents, latest commits, kinds of code. */
export async function checkoutState(worktree: string): Promise<CheckoutState> {
  const scan = scanProject(worktree, SELF_DESCRIPTIONS);
  return scan ? { ...scan, commits: await recentCommits(worktree, RECENT_COMMITS, process.env) } : noCheckout(worktree);
}

export const surveyProject: SurveyProject = (key, path) => {
  if (statOf(path) === undefined) return undefined;
  const folder = realGitPath(path);
  return { key, path: tidyPath(folder), manifests: readManifests(folder, MANIFESTS), remotes: remotesOf(folder) };
};

/** The files by which clients find Holdfast. */
export function openSetup(home: string, { project, register }: LocatedProject, env: Environment): Setup {
  const dist = import.meta.dirname;
  const portable = isOnPath(env, dist);
  return {
    portable,
    confirm: confirmOnTerminal,
    ...clientSetup(setupPlaces(home, project, dist, portable), otherPlaces(env, userHome(), dist, portable), openSetupFiles(home, project), register),
  };
}
