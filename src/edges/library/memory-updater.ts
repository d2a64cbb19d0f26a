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
  /** Called with errors, and with what had to leave the file; standard error without it. */
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

  /** Enough finished tasks, or a significant change; never where memory or its updates are switched off. */
  shouldUpdate(taskCount: number, hasSignificantChanges = false): boolean {
    const config = this.#host.settingsFor(this.memoryPath);
    return config.get('enabled') && config.get('autoUpdate') && shouldUpdate(taskCount, hasSignificantChanges, this.#settings().updateThreshold);
  }

  /** Copies MEMORY.md over its one backup; false when there is nothing to copy, as on a first run. */
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
  /** A dated summary with a section for everything that is not empty. Task summaries go to the session's log when it is stored. */
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

  /** Stores a summary; false when it could not be, and then the file is as it was. Where memory is switched off, only `force` stores it. */
  async updateMemory(sessionSummary: string, force = false): Promise<boolean> {
    const say = this.#options.onMessage ?? ((message: string) => console.error(message));
    try {
      if (!force && !this.#host.settingsFor(this.memoryPath).get('enabled')) throw new Error('memory is switched off (enabled is false)');
      const tasks = this.#tasks.get(sessionSummary);
      const { sessionId } = this.#options;
      this.lastUpdate = await this.#withFile((file) =>
        updateMemory(file, { ...AUTHOR, summary: sessionSummary, ...(tasks && { tasks }), ...(sessionId !== undefined && { sessionId }) }),
      );
      for (const notice of this.lastUpdate.notices) say(notice);
      this.#tasks.delete(sessionSummary);
      this.#options.injector?.clearCache();
      return true;
    } catch (cause) {
      say(`Memory update failed: ${cause instanceof Error ? cause.message : String(cause)}`);
      return false;
    }
  }

  /** Puts the backup back in place; false when there is none. */
  async rollback(): Promise<boolean> {
    const done = await this.#withFile((file) => rollback(file, AUTHOR));
    if (done.ok) this.#options.injector?.clearCache();
    return done.ok;
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
