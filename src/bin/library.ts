/** The exports of the package `holdfast`. */
import { hashProjectPath } from '../core/project/folder.ts';
import type { Started } from '../app/memory-files/start.ts';
import type { Result } from '../core/result.ts';
import type { OpenOptions, ProjectMemory } from '../edges/library/memory.ts';
import { LayerLoader, type LoaderOptions } from '../edges/library/memory-loader.ts';
import { MemoryFileUpdater, type UpdaterOptions } from '../edges/library/memory-updater.ts';
import { openLibraryMemory } from '../edges/library/open-memory.ts';
import { findProjectMemory, startLibrarySession, type StartOptions } from '../edges/library/session.ts';
import { md5 } from '../adapters/process/environment.ts';
import { libraryHost } from './wiring/library-host.ts';

export { ContextInjector } from '../edges/library/context-injector.ts';
export * from '../edges/library/public.ts';

/** Loads the four layers of memory: global instructions and memory, then the project's own. */
export class MemoryLoader extends LayerLoader {
  constructor(claudeDir: string, projectPath?: string, options: LoaderOptions = {}) {
    super(libraryHost, claudeDir, projectPath, options);
  }
}

/** Updates a MEMORY.md: newest summary first, with one backup; what no longer fits moves to a session log. */
export class MemoryUpdater extends MemoryFileUpdater {
  constructor(memoryPath: string, options: UpdaterOptions = {}) {
    super(libraryHost, memoryPath, options);
  }
}

/** Opens the memory of a project: the working folder's, or the one that a path, a key or a hash names. */
export const openMemory = (options: OpenOptions = {}): Promise<Result<ProjectMemory>> => openLibraryMemory(libraryHost, options);

/** Starts a session: returns the block for the orchestrator's context, unless memory or its loading is off. */
export const startSession = (claudeDir: string, options: StartOptions = {}): Promise<Started> => startLibrarySession(libraryHost, claudeDir, options);

/** Twelve hex digits for a project's path; slashes and backslashes give the same. */
export const projectHash = (projectPath: string): string => hashProjectPath(projectPath, md5);

/** The MEMORY.md that a loader of this project reads: in the folder of its hash if that exists, else in that of its key. */
export const projectMemoryPath = (claudeDir: string, projectPath: string): string => findProjectMemory(libraryHost, claudeDir, projectPath);
