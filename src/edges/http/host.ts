import type { Settings } from '../../app/config/settings.ts';
import type { Episodes } from '../../app/episodes/episodes.ts';
import type { Memory } from '../../app/memory/memory.ts';
import type { SearchPlace } from '../../app/search/search.ts';
import type { FolderWatcher } from '../../core/ports/host.ts';
import type { InjectionLog } from '../../core/ports/injection-log.ts';

/** The use cases of one project, which the command line shares. */
export interface ProjectAccess {
  open(which?: 'project' | 'user'): Promise<SearchPlace & { readonly memory: Memory }>;
  recallContext(): Promise<{ readonly log: InjectionLog }>;
  episodes(): Promise<Episodes>;
  settings(): Promise<Settings>;
  /** A file of the project as it was with this blob hash, and as it is now; undefined if there is none. */
  fileVersions(path: string, blob: string): Promise<{ readonly before: string | undefined; readonly after: string | undefined }>;
}

/** The page's own files, built into the package. */
export interface PageFiles {
  readonly script: string;
  readonly style: string;
}

/** The running page of a home, so that a second start finds the first. */
export interface RunningPage {
  readonly pid: number;
  readonly port: number;
  /** The secret with which a second start asks the first to show its link again; it gives no other access. */
  readonly knock: string;
}

/** The machine for the page; `bin` supplies it. */
export interface ViewHost {
  readonly version: string;
  readonly home: string;
  /** The actor in the journal. */
  readonly actor: 'page' | 'shell';
  /** The project that the command was run in. */
  readonly here?: string;
  projects(): readonly { readonly key: string; readonly path: string }[];
  access(key: string | undefined): ProjectAccess;
  /** Changes with the injections, conversations and settings of a project; without a project, with the user's settings. */
  fingerprint(project?: { readonly key: string; readonly path: string }): string;
  watch(changed: (name: string) => void): FolderWatcher;
  readFiles(): PageFiles;
  /** The page that is running for this home, if its process is. */
  running(): RunningPage | undefined;
  /** Stores the page; false if another start was faster. */
  claim(page: RunningPage): boolean;
  release(page: RunningPage): void;
  /** Opens a link in the user's browser; false if there is none. */
  openBrowser(url: string): boolean;
  randomKey(): string;
  say(line: string): void;
  warn(line: string): void;
}

/** The options on the command line. */
export interface ViewRequest {
  readonly port: number;
  readonly opens: boolean;
  /** The page ends after so many minutes without a request; 0 for never. */
  readonly idleMinutes: number;
  /** Whether the first line is one JSON document, for scripts. */
  readonly json: boolean;
}

/** The project that the command was run in, if it has a memory. */
export const projectHere = ({ here, projects }: Pick<ViewHost, 'here' | 'projects'>): string | undefined => projects().find(({ key }) => key === here)?.key;
