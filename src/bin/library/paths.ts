import { join, resolve } from 'node:path';
import { MEMORY_PATH } from '../../app/memory-files/memory-file.ts';
import { hashOf, layerFolder } from '../compose/hierarchy.ts';

/** Twelve hex digits that stand for a project's path, whichever way its slashes lean. */
export const projectHash = (projectPath: string): string => hashOf(projectPath);

/** The MEMORY.md that a loader of this project reads: in the folder of its hash where there is one, in that of its key otherwise. */
export const projectMemoryPath = (claudeDir: string, projectPath: string): string => join(layerFolder(resolve(claudeDir), projectPath).folder, MEMORY_PATH);
