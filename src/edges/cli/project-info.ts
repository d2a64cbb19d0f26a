import type { Project } from '../../core/project/identity.ts';
import type { ProjectInfo } from './command.ts';

/** A project as commands print it. */
export const projectInfo = (
  project: Project & { readonly privateRoot: string; readonly sharedRoot?: string },
  home: string,
  shownPath: (path: string) => string,
): ProjectInfo => ({
  key: project.key,
  // Hashing is slow to load, and few commands print it.
  get hash() {
    return project.hash;
  },
  path: project.path,
  privateRoot: project.privateRoot,
  // Finding the user's home is slow, and few commands print it.
  get shownRoot() {
    return `${shownPath(project.privateRoot)}/`;
  },
  home,
  ...(project.sharedRoot !== undefined && { sharedRoot: project.sharedRoot }),
});
