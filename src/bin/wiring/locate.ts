import { join } from 'node:path';
import { placesIn } from '../../adapters/files/home-layout.ts';
import { isAnswering } from '../../adapters/files/outside/mounts.ts';
import { projectFolders } from '../../adapters/files/project-folders.ts';
import { SessionNoteFiles } from '../../adapters/files/session-states.ts';
import { setMountCheck } from '../../adapters/git/read.ts';
import { folderFacts } from '../../adapters/git/repository.ts';
import { openDatabase } from '../../adapters/sqlite/binding.ts';
import { locateIfOn, type LocatedProject, type LocateRequest, locateProject } from '../../app/project/locate.ts';
import type { ProjectFolders } from '../../core/ports/project.ts';
import type { Result } from '../../core/result.ts';
import { md5 } from './environment.ts';

setMountCheck(isAnswering);

export interface ProjectRequest extends LocateRequest {
  readonly home: string;
}

/** The folders of this machine, for one home. */
export const foldersIn = (home: string): ProjectFolders => projectFolders({ home, md5, openDatabase, facts: (folder) => folderFacts(folder, process.env) });

/** Finds the project that a folder or a word stands for. */
export const locate = (request: ProjectRequest): Result<LocatedProject> => locateProject(foldersIn(request.home), request);

/** The project of a folder, if memory is on there. */
export const locateOn = (cwd: string, { home, now }: Pick<ProjectRequest, 'home' | 'now'>): LocatedProject | undefined =>
  locateIfOn(foldersIn(home), { cwd, now });

/** What hooks keep of the sessions of a project. */
export const sessionNotesOf = (home: string, key: string): SessionNoteFiles => new SessionNoteFiles(join(placesIn(home).state(key), 'sessions'), md5);
