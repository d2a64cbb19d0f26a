import type { Exported, BundleImport } from '../../app/bundle/bundles.ts';
import type { BundleScope } from '../../app/bundle/manifest.ts';
import type { Diagnosis } from '../../app/memory-files/diagnose.ts';
import type { SessionUpdate } from '../../app/memory-files/after-session.ts';
import type { Diff, LogLine } from '../../app/history/log.ts';
import type { Undone } from '../../app/history/undo.ts';
import type { Finding } from '../../app/read/doctor.ts';
import type { RebuildReport } from '../../app/read/rebuild.ts';
import type { Shown } from '../../app/read/show.ts';
import type { MemoryStatus } from '../../app/read/status.ts';
import type { Brief, BriefEvent } from '../../app/recall/brief/brief.ts';
import type { Recalled } from '../../app/recall/recall.ts';
import type { Hit } from '../../app/search/hit.ts';
import type { HitKind } from '../../app/search/search.ts';
import type { GcReport } from '../../app/write/gc.ts';
import type { Written } from '../../app/write/written.ts';
import type { Category } from '../../core/record/category.ts';
import type { Draft } from '../../core/record/draft.ts';
import type { ContentOf, Trust } from '../../core/record/schema.ts';
import type { Result } from '../../core/result.ts';
import { Refused } from '../../core/failure.ts';

export interface OpenOptions {
  /** Path, key or hash of the project; the working folder without it. */
  readonly project?: string;
  /** Where memories live; without it HOLDFAST_HOME, then CLAUDE_CONFIG_DIR, then ~/.claude. */
  readonly home?: string;
  readonly now?: () => number;
}

export interface SaveOptions {
  readonly title?: string;
  readonly tags?: readonly string[];
  /** Files of the project that the record is about, relative to it. */
  readonly files?: readonly string[];
  /** Without it, the setting `storage.root` decides; its default is the project's private folder. */
  readonly scope?: 'private' | 'shared' | 'user';
  readonly trust?: Exclude<Trust, 'quarantined'>;
  readonly sessionId?: string;
  /** Fields of the record, in place of those made from the text. */
  readonly content?: ContentOf<Category>;
}

export interface SearchOptions {
  /** Default: 10. */
  readonly limit?: number;
  readonly category?: Category;
  readonly kind?: HitKind;
  readonly since?: string;
  readonly until?: string;
  readonly includeRetired?: boolean;
  /** Open files: hits about them rank higher. */
  readonly files?: readonly string[];
  /** Called when a search works without something, such as an embedder that did not answer. */
  readonly warn?: (what: string) => void;
}

/** One project's open memory, with the operations of the command line. Operations that a rule may refuse return a `Result`. */
export interface ProjectMemory {
  readonly key: string;
  readonly hash: string;
  readonly path: string;
  /** Where its private records lie. */
  readonly folder: string;
  save(category: Category, text: string, options?: SaveOptions): Promise<Result<Written>>;
  /** Replaces a record by its next version; `hash` is the one that `get` gave. */
  update(id: string, draft: Draft, hash?: string): Promise<Result<Written>>;
  search(query: string, options?: SearchOptions): Promise<readonly Hit[]>;
  /** The injection for a prompt, with the reasons. */
  recall(prompt: string, options?: { readonly session?: string }): Promise<Recalled>;
  /** The brief for a session's start. */
  brief(options?: { readonly event?: BriefEvent; readonly session?: string }): Promise<Brief>;
  get(id: string): Promise<Result<Shown>>;
  retire(id: string, reason?: string): Promise<Result<Written>>;
  restore(id: string): Promise<Result<Written>>;
  archive(id: string, reason?: string): Promise<Result<Written>>;
  unarchive(id: string): Promise<Result<Written>>;
  confirm(id: string): Promise<Result<Written>>;
  /** Moves a record into the project, to be committed with the code. */
  share(id: string): Promise<Result<Written>>;
  log(id?: string, limit?: number): Promise<Result<readonly LogLine[]>>;
  diff(id: string, version?: number): Promise<Result<Diff>>;
  undo(count?: number): Promise<Result<readonly Undone[]>>;
  status(): Promise<MemoryStatus>;
  doctor(): Promise<readonly Finding[]>;
  rebuild(): Promise<RebuildReport>;
  gc(options?: { readonly dryRun?: boolean }): Promise<GcReport>;
  /** Saves a summary of an imported session or of a transcript, made without a model. */
  summarize(source: { readonly session?: string; readonly transcript?: string }): Promise<Result<Written>>;
  /** Adds a session to MEMORY.md if it was significant; with `force`, in any case. */
  updateAfterSession(sessionId: string, options?: { readonly force?: boolean }): Promise<SessionUpdate>;
  /** Why MEMORY.md does not load or cannot be updated. */
  diagnose(): Promise<Diagnosis>;
  /** Packs this project, the user's own memory or everything into one file. */
  export(file: string, scope?: BundleScope): Promise<Result<Exported>>;
  /** Merges a bundle into the memories here. */
  import(file: string): Promise<Result<BundleImport>>;
  /** Closes the files. */
  close(): Promise<void>;
}

/** Returns the value of a result, or throws its refusal, with code and hint in `refusal`. */
export function unwrap<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new Refused(result.error);
}
