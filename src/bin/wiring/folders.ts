import { isAnswering } from '../../adapters/files/outside/mounts.ts';
import { projectFolders } from '../../adapters/files/project-folders.ts';
import { setMountCheck } from '../../adapters/git/read.ts';
import { folderFacts } from '../../adapters/git/repository.ts';
import { md5 } from '../../adapters/process/environment.ts';
import { openDatabase } from '../../adapters/sqlite/binding.ts';
import type { ProjectFolders } from '../../core/ports/project.ts';

setMountCheck(isAnswering);

/** The folders of this machine, for one home. */
export const foldersIn = (home: string): ProjectFolders => projectFolders({ home, md5, openDatabase, facts: (folder) => folderFacts(folder, process.env) });
