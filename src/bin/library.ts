/** What others import from `holdfast`. */
import { hashProjectPath } from '../core/project/folder.ts';
import type { Started } from '../app/memory-files/start.ts';
import type { Result } from '../core/result.ts';
import type { OpenOptions, ProjectMemory } from '../edges/library/memory.ts';
import { LayerLoader, type LoaderOptions } from '../edges/library/memory-loader.ts';
import { MemoryFileUpdater, type UpdaterOptions } from '../edges/library/memory-updater.ts';
import { openLibraryMemory } from '../edges/library/open-memory.ts';
import { findProjectMemory, startLibrarySession, type StartOptions } from '../edges/library/session.ts';
import { md5 } from './wiring/environment.ts';
import { libraryHost } from './wiring/library-host.ts';

export type { Exported, BundleImport as Imported, MergedPart } from '../app/bundle/bundles.ts';
export type { BundleScope as Scope } from '../app/bundle/manifest.ts';
export { COMPATIBLE_ORCHESTRATORS, MODULE_VERSION } from '../app/memory-files/block.ts';
export type { SessionUpdate } from '../app/memory-files/after-session.ts';
export type { Advice, Diagnosis } from '../app/memory-files/diagnose.ts';
export type { LayerName, Layers } from '../app/memory-files/layers.ts';
export type { LayerFile } from '../app/memory-files/load.ts';
export type { SessionNotes } from '../app/memory-files/session-notes.ts';
export type { Updated } from '../app/memory-files/update.ts';
export type { Diff } from '../app/history/log.ts';
export type { LogLine } from '../app/history/log.ts';
export type { Undone } from '../app/history/undo.ts';
export type { Shown } from '../app/read/show.ts';
export type { MemoryStatus } from '../app/read/status.ts';
export type { Brief, BriefEvent } from '../app/recall/brief/brief.ts';
export type { Recalled, RecalledItem } from '../app/recall/recall.ts';
export type { Hit } from '../app/search/hit.ts';
export type { Written } from '../app/write/written.ts';
export { CATEGORIES, type Category } from '../core/record/category.ts';
export type { Draft } from '../core/record/draft.ts';
export type { ContentOf, MemoryRecord, RecordOf } from '../core/record/schema.ts';
export type { Refusal, RefusalCode, Result } from '../core/result.ts';
export type { OpenOptions, ProjectMemory, SaveOptions, SearchOptions } from '../edges/library/memory.ts';
export { ContextInjector } from '../edges/library/context-injector.ts';
export type { LoaderOptions } from '../edges/library/memory-loader.ts';
export type { UpdaterOptions } from '../edges/library/memory-updater.ts';
export type { StartOptions } from '../edges/library/session.ts';
export type { Started } from '../app/memory-files/start.ts';
export { unwrap } from '../edges/library/memory.ts';

/** Loads the four layers of memory: global instructions and memory, then the project's own. */
export class MemoryLoader extends LayerLoader {
  constructor(claudeDir: string, projectPath?: string, options: LoaderOptions = {}) {
    super(libraryHost, claudeDir, projectPath, options);
  }
}

/** Keeps a MEMORY.md up to date: newest summary first, one backup, never larger than it may be, nothing lost. */
export class MemoryUpdater extends MemoryFileUpdater {
  constructor(memoryPath: string, options: UpdaterOptions = {}) {
    super(libraryHost, memoryPath, options);
  }
}

/** Opens the memory of a project: the working folder's, or the one that a path, a key or a hash names. */
export const openMemory = (options: OpenOptions = {}): Promise<Result<ProjectMemory>> => openLibraryMemory(libraryHost, options);

/** The start of a session: the block for the orchestrator's context, unless memory or its loading is switched off. */
export const startSession = (claudeDir: string, options: StartOptions = {}): Promise<Started> => startLibrarySession(libraryHost, claudeDir, options);

/** Twelve hex digits that stand for a project's path, whichever way its slashes lean. */
export const projectHash = (projectPath: string): string => hashProjectPath(projectPath, md5);

/** The MEMORY.md that a loader of this project reads: in the folder of its hash where there is one, in that of its key otherwise. */
export const projectMemoryPath = (claudeDir: string, projectPath: string): string => findProjectMemory(libraryHost, claudeDir, projectPath);
