import type { ConfigFiles } from '../../core/config/effective.ts';
import type { Clock } from '../../core/ports/host.ts';
import type { Registry } from '../../core/project/registry.ts';
import type { Result } from '../../core/result.ts';
import type { Episodes } from '../episodes/episodes.ts';
import type { LocatedProject } from '../project/locate.ts';
import type { Memory } from '../memory/memory.ts';
import type { BundledProject, BundleFile } from './manifest.ts';

export interface BundledMemory {
  readonly memory: Memory;
  close(): Promise<void>;
}

export interface BundledProjectMemory extends BundledMemory {
  readonly config: ConfigFiles;
}

/** The parts of the machine that export and import use: the bundle's file, and the memories under one home. */
export interface BundleHost {
  readonly now: Clock;
  readonly sha256: (text: string) => string;
  /** The path of a file as the user typed it. */
  resolve(file: string): string;
  /** Whether a file is packed as a bundle is. */
  isBundle(file: string): boolean;
  readFile(file: string): Result<readonly BundleFile[]>;
  /** Writes a bundle and returns its size in bytes. */
  writeFile(file: string, entries: readonly BundleFile[]): number;
  readonly registry: {
    read(): Registry;
    update(change: (registry: Registry) => Registry): Promise<void>;
  };
  /** The current project. */
  current(): Pick<LocatedProject, 'register' | 'facts'> & { readonly project: { readonly key: string } };
  openProject(key: string): Result<BundledProjectMemory>;
  /** Opens the memory of a project that the registry does not know yet. */
  openNewProject(project: BundledProject): BundledProjectMemory;
  openUser(): BundledMemory;
  /** The settings of the user. */
  readonly userConfig: ConfigFiles;
  episodes(): Promise<Pick<Episodes, 'conversationTexts' | 'parseConversation' | 'importConversations' | 'copyConversations' | 'returnConversations'>>;
}
