import type { Bundles } from '../../app/bundle/bundles.ts';
import type { Episodes } from '../../app/episodes/episodes.ts';
import type { Hierarchy } from '../../app/memory-files/layers.ts';
import type { Memory } from '../../app/memory/memory.ts';
import type { RecallContext } from '../../app/recall/recall-context.ts';
import type { SearchPlace } from '../../app/search/search.ts';
import type { Config } from '../../core/config/effective.ts';
import type { LayerFiles } from '../../core/ports/layer-files.ts';
import type { Result } from '../../core/result.ts';
import type { OpenOptions } from './memory.ts';

/** A project's memory and the services that the library uses with it. */
export interface LibraryProject {
  readonly home: string;
  readonly memory: Memory;
  readonly project: { readonly key: string; readonly hash: string; readonly path: string; readonly privateRoot: string };
  readonly recallContext: RecallContext;
  readonly searchPlace: SearchPlace;
  readonly episodes: Episodes;
  readonly bundles: Bundles;
  openUser(): { readonly memory: Memory; close(): Promise<void> };
  openMemoryFiles(): Hierarchy & { close(): void };
  close(): Promise<void>;
}

/** The machine for the library; `bin` supplies it. */
export interface LibraryHost {
  openProject(options: OpenOptions): Result<LibraryProject>;
  layerFiles(home: string): LayerFiles;
  /** The settings of a home, and of a project's folder if given. */
  settingsIn(home: string, projectFolder?: string): Config;
  /** The settings for a memory file, found by its path. */
  settingsFor(memoryFile: string): Config;
}
