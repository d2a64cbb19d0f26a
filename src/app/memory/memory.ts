import type { Clock, Md5 } from '../../core/ports/host.ts';
import type { Index, IndexItem } from '../../core/ports/index.ts';
import type { Store, StoredFile } from '../../core/ports/store.ts';
import type { TextSweep } from '../../core/ports/text-sweep.ts';
import type { Evidence } from '../../core/record/schema.ts';
import type { Result } from '../../core/result.ts';
import type { Config } from '../../core/config/effective.ts';
import type { ConfigWarning } from '../../core/config/spec.ts';
import type { FolderNames } from '../write/names.ts';

/** An open memory: a project's, or the user's own. */
export interface Memory {
  /** Key of the project, or `user`. */
  readonly key: string;
  /** The folder the project is named after; absent for the user's own memory. */
  readonly projectPath?: string;
  readonly store: Store;
  readonly index: Index;
  readonly config: Config;
  /** Settings that could not be read. */
  readonly unreadable: readonly ConfigWarning[];
  /** Makes the index entry of a file. Loaded when first used, because few files change. */
  readonly itemOf: (file: StoredFile) => Promise<Result<IndexItem | undefined>>;
  /** Renders the views that a crash or a manual edit left out of date. Loaded when first used, or done by another process. */
  readonly repairViews: () => Promise<void>;
  /** Everything under the home that may hold a record's text; absent if a memory has no home. Loaded when first used. */
  readonly sweep?: () => Promise<TextSweep>;
  /** Of these records, named `category/id`, those that recall has shown for a prompt or that were called useful. Loaded when first used. */
  readonly usedRecords: (names: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Keeps quoted rules from coming back, by their ids. Loaded when first used: few forget. */
  readonly muteRules: (ids: readonly string[]) => Promise<void>;
  /** Finishes a removal that a crash interrupted. Loaded when first used. */
  readonly finishForgetting: () => Promise<void>;
  /** Repairs the views once the memory is idle or closed; several requests are done once. */
  readonly repairLater: () => void;
  /** The file names that this process has seen, for each folder that it writes to. */
  readonly seenNames: Map<string, FolderNames>;
  readonly now: Clock;
  readonly md5: Md5;
  /** Whether a file of the project, by its path in the project, exists. */
  readonly projectFileExists: (path: string) => boolean;
  /** The state of files that a record names, to tell later whether they have changed. */
  readonly evidenceOf: (paths: readonly string[]) => readonly Evidence[];
  /** Prefix that `index.md` puts before the path of a shared record. */
  readonly sharedPrefix: string;
}
