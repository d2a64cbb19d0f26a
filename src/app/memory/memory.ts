import type { Clock } from '../../core/ports/clock.ts';
import type { Md5 } from '../../core/ports/digest.ts';
import type { Index } from '../../core/ports/index.ts';
import type { Store } from '../../core/ports/store.ts';
import type { Evidence } from '../../core/record/schema.ts';
import type { Config } from '../../core/config/effective.ts';
import type { ConfigWarning } from '../../core/config/spec.ts';

/** One memory, opened: a project's or the user's own. Everything a use case works with. */
export interface Memory {
  /** Key of the project, or `user`. */
  readonly key: string;
  readonly store: Store;
  readonly index: Index;
  readonly config: Config;
  /** What the settings' files say that cannot be followed. */
  readonly configWarnings: () => readonly ConfigWarning[];
  readonly now: Clock;
  readonly md5: Md5;
  /** Whether a file of the project, by its path in the project, exists. */
  readonly projectFileExists: (path: string) => boolean;
  /** What the project's files are now, to tell later whether they have changed. */
  readonly evidenceOf: (paths: readonly string[]) => readonly Evidence[];
  /** Prefix that `index.md` puts before the path of a record in a shared root. */
  readonly sharedPrefix: string;
}
