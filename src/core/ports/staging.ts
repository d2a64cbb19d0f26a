import type { Result } from '../result.ts';

/** A folder in which Holdfast gives agents context files, and agents give Holdfast drafts. */
export interface Staging {
  readonly folder: string;
  /** Private, so that everything in it belongs to this session. */
  readonly isPrivate: boolean;
  /** Writes a file and returns its path; refused when another user's file or a link is in the way. */
  put(name: string, text: string): Promise<Result<string>>;
  /** Paths of the files in it, sorted. */
  list(): Promise<readonly string[]>;
  /** A file's text; refused unless it is a plain file of this user, lies where it seems to, and is not too large. */
  read(path: string): Promise<Result<string>>;
  remove(path: string): Promise<void>;
}

/** Staged drafts that were never saved: a session's folder, or a single file if many sessions share one. */
export interface Leftover {
  readonly path: string;
  readonly files: number;
  readonly bytes: number;
  /** When the newest of it was written. */
  readonly touched: number;
}

export interface Leftovers {
  /** Those not written to since then, oldest first. */
  olderThan(instant: number): Promise<readonly Leftover[]>;
  remove(leftover: Leftover): Promise<void>;
}

/** The staging folders of a home. `named` is the setting `staging.dir`: one folder for all sessions, in place of a private one each; empty if it is not set. */
export interface StagingFolders {
  /** The folder above the sessions' own. */
  readonly root: string;
  ofSession(sessionId: string | undefined, named: string): Staging;
  putFile(path: string, named: string, text: string): Promise<Result<string>>;
  leftovers(named: string): Leftovers;
  exists(path: string): boolean;
}
