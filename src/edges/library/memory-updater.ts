import { dirname, resolve } from 'node:path';
import { compress } from '../../app/memory-files/compress.ts';
import { fileSettings, type FileSettings, type MemoryFile, rollback } from '../../app/memory-files/memory-file.ts';
import { type SessionNotes, summaryText } from '../../app/memory-files/session-notes.ts';
import { createBackup, shouldUpdate, updateMemory, type Updated } from '../../app/memory-files/update.ts';
import { openMemoryFile } from '../../app/memory-files/open.ts';
import type { ContextInjector } from './context-injector.ts';
import type { LibraryHost } from './host.ts';

export interface UpdaterOptions extends Partial<FileSettings> {
  /** Names the session's log. */
  readonly sessionId?: string;
  /** Its cache is cleared by every update. */
  readonly injector?: ContextInjector;
  /** Called with errors and notices of moved sections. Default: standard error. */
  readonly onMessage?: (message: string) => void;
  readonly now?: () => number;
}

const AUTHOR = { actor: 'library' } as const;

/** Keeps a MEMORY.md up to date: newest summary first, one backup, never larger than it may be, nothing lost. */
export class MemoryFileUpdater {
  readonly memoryPath: string;
  readonly backupPath: string;
  /** The result of the last update. */
  lastUpdate: Updated | undefined;
  readonly #host: LibraryHost;
  readonly #options: UpdaterOptions;
  readonly #now: () => number;
  readonly #tasks = new Map<string, readonly string[]>();

  constructor(host: LibraryHost, memoryPath: string, options: UpdaterOptions = {}) {
    this.#host = host;
    this.memoryPath = resolve(memoryPath);
    this.backupPath = `${this.memoryPath}.bak`;
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** Whether enough tasks are finished or a change is significant. Always false if memory or its updates are off. */
  shouldUpdate(taskCount: number, hasSignificantChanges = false): boolean {
    const config = this.#host.settingsFor(this.memoryPath);
    return config.get('enabled') && config.get('autoUpdate') && shouldUpdate(taskCount, hasSignificantChanges, this.#settings().updateThreshold);
  }

  /** Copies MEMORY.md over its one backup; false if there is nothing to copy yet. */
  createBackup(): Promise<boolean> {
    return this.#withFile((file) => createBackup(file, AUTHOR));
  }

  generateSessionSummary(notes: SessionNotes): string;
  generateSessionSummary(
    taskSummaries: readonly string[],
    filesModified: readonly string[],
    decisions: readonly string[],
    patterns: readonly string[],
    issues: readonly string[],
  ): string;
  /** A dated summary with a section for each list that is not empty. `updateMemory` writes the task summaries to the session's log. */
  generateSessionSummary(first: SessionNotes | readonly string[], ...rest: readonly (readonly string[])[]): string {
    const [filesModified = [], decisions = [], patterns = [], issues = []] = rest;
    const notes: SessionNotes = isList(first) ? { taskSummaries: first, filesModified, decisions, patterns, issues } : first;
    const summary = summaryText(notes, this.#now());
    this.#tasks.set(summary, notes.taskSummaries ?? []);
    return summary;
  }

  /** The text without its sections headed as logs or histories. */
  compressMemory(content: string): string {
    return compress(content).text;
  }

  /** Stores a summary; false if that failed, and then the file is unchanged. While memory is off, only `force` stores it. */
  async updateMemory(sessionSummary: string, force = false): Promise<boolean> {
    const report = this.#options.onMessage ?? ((message: string) => console.error(message));
    try {
      if (!force && !this.#host.settingsFor(this.memoryPath).get('enabled')) throw new Error('memory is switched off (enabled is false)');
      const tasks = this.#tasks.get(sessionSummary);
      const { sessionId } = this.#options;
      this.lastUpdate = await this.#withFile((file) =>
        updateMemory(file, { ...AUTHOR, summary: sessionSummary, ...(tasks && { tasks }), ...(sessionId !== undefined && { sessionId }) }),
      );
      for (const notice of this.lastUpdate.notices) report(notice);
      this.#tasks.delete(sessionSummary);
      this.#options.injector?.clearCache();
      return true;
    } catch (cause) {
      report(`Memory update failed: ${cause instanceof Error ? cause.message : String(cause)}`);
      return false;
    }
  }

  /** Restores the backup; false if there is none. */
  async rollback(): Promise<boolean> {
    const restored = await this.#withFile((file) => rollback(file, AUTHOR));
    if (restored.ok) this.#options.injector?.clearCache();
    return restored.ok;
  }

  #settings(): FileSettings {
    const { updateThreshold, maxMemorySize, compressionThreshold, backupEnabled } = {
      ...fileSettings(this.#host.settingsFor(this.memoryPath)),
      ...this.#options,
    };
    return { updateThreshold, maxMemorySize, compressionThreshold, backupEnabled };
  }

  async #withFile<T>(work: (file: MemoryFile) => Promise<T>): Promise<T> {
    const file = openMemoryFile(this.#host.layerFiles(dirname(this.memoryPath)), this.memoryPath, { settings: this.#settings(), now: this.#now });
    try {
      return await work(file);
    } finally {
      file.close();
    }
  }
}

const isList = (value: SessionNotes | readonly string[]): value is readonly string[] => Array.isArray(value);
