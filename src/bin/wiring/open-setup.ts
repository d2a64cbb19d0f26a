import { isOnPath, openSetupFiles, setupPlaces } from '../../adapters/files/outside/setup-files.ts';
import { confirmOnTerminal } from '../../adapters/process/terminal.ts';
import { clientSetup } from '../../app/setup/apply.ts';
import type { Setup } from '../../edges/cli/command.ts';
import type { LocatedProject } from '../../app/project/locate.ts';

/** What `init` needs of the outside: the files of clients, and what it did to them before. */
export function openSetup(home: string, { project, remember }: LocatedProject, env: Readonly<Record<string, string | undefined>>): Setup {
  const dist = import.meta.dirname;
  const portable = isOnPath(env, dist);
  return {
    portable,
    confirm: confirmOnTerminal,
    ...clientSetup(setupPlaces(home, project, dist, portable), openSetupFiles(home, project), remember),
  };
}
