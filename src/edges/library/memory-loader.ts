import { resolve } from 'node:path';
import { diagnose, type Diagnosis } from '../../app/memory-files/diagnose.ts';
import { type Layers, mergeLayers } from '../../app/memory-files/layers.ts';
import { loadLayers, type Loaded, noteLoad } from '../../app/memory-files/load.ts';
import { fileSettings, MEMORY_PATH, type MemoryFile } from '../../app/memory-files/memory-file.ts';
import { type LayerFolder, layerFolder, layerSources, openMemoryFile } from '../../app/memory-files/open.ts';
import type { LayerFiles } from '../../core/ports/layer-files.ts';
import type { LibraryHost } from './host.ts';

export interface LoaderOptions {
  /** Called with warnings, such as that a file was shortened. Default: standard error. */
  readonly onWarning?: (message: string) => void;
  readonly now?: () => number;
}

/** Loads the four layers of memory: global instructions and memory, then the project's own. */
export class LayerLoader {
  readonly claudeDir: string;
  readonly projectPath: string | undefined;
  readonly #host: LibraryHost;
  readonly #files: LayerFiles;
  readonly #warn: (message: string) => void;
  readonly #now: () => number;

  constructor(host: LibraryHost, claudeDir: string, projectPath?: string, options: LoaderOptions = {}) {
    this.claudeDir = resolve(claudeDir);
    this.#host = host;
    this.#files = host.layerFiles(this.claudeDir);
    this.projectPath = projectPath;
    this.#warn = options.onWarning ?? ((message) => console.warn(message));
    this.#now = options.now ?? Date.now;
  }

  /** Reads all files at once and leaves out missing ones; empty if memory is off. */
  async loadAll(): Promise<Layers> {
    const project = this.#project();
    const config = this.#host.settingsIn(this.claudeDir, project?.folder);
    if (!config.get('enabled')) return {};
    const loaded: Loaded = await loadLayers(layerSources(this.#files, project), config.get('maxMemorySize'));
    for (const warning of loaded.warnings) this.#warn(warning);
    if (project && loaded.layers.project_memory !== undefined) await this.#withFile(project, (file) => noteLoad(file, loaded.files));
    return loaded.layers;
  }

  mergeMemory(memory: Layers): string {
    return mergeLayers(memory);
  }

  async getContextForInjection(): Promise<string> {
    return this.mergeMemory(await this.loadAll());
  }

  /** Whether memory is on; off means no loading, no injection and no updating. */
  isEnabled(): boolean {
    return this.#host.settingsIn(this.claudeDir, this.#project()?.folder).get('enabled');
  }

  /** Finds out why memory does not load or cannot be updated. */
  async diagnose(): Promise<Diagnosis> {
    const project = this.#project();
    if (!project) throw new Error('a diagnosis needs a project path');
    const config = this.#host.settingsIn(this.claudeDir, project.folder);
    return this.#withFile(project, async (file) =>
      diagnose({
        owner: project.owner,
        sources: layerSources(this.#files, project),
        file,
        enabled: config.get('enabled'),
        unreadable: config.unreadable,
        autoLoad: config.get('autoLoad'),
        unwritable: this.#files.whyUnwritable(file.absolute(file.place)),
      }),
    );
  }

  #project(): LayerFolder | undefined {
    return this.projectPath === undefined ? undefined : layerFolder(this.#files, this.projectPath);
  }

  async #withFile<T>({ folder, owner }: LayerFolder, work: (file: MemoryFile) => Promise<T>): Promise<T> {
    const settings = fileSettings(this.#host.settingsIn(this.claudeDir, folder));
    const file = openMemoryFile(this.#files, this.#files.join(folder, MEMORY_PATH), { settings, now: this.#now, owner });
    try {
      return await work(file);
    } finally {
      file.close();
    }
  }
}
