import type { Result } from '../result.ts';

/** One text file that Holdfast did not make and edits on request. */
export interface TextFile {
  readonly path: string;
  /** Its text, empty if there is no file; refused if it cannot be written back byte for byte. */
  read(): Result<string>;
  write(text: string): Result<void>;
  remove(): Result<void>;
}

export type BackupOf = 'project' | 'user';

/** The files of clients that `init` changes, and its own note of how they were before. A file that may not be changed throws a refusal. */
export interface SetupFiles {
  /** Throws if the file may not be changed. */
  check(file: string): void;
  /** Whether a client keeps settings in this folder. */
  hasFolder(folder: string): boolean;
  /** Undefined if there is no file. */
  read(file: string): string | undefined;
  /** Without a text the file is removed. */
  write(file: string, text: string | undefined): Result<void>;
  /** The uppermost folder that writing the file makes; undefined if its folder is there. */
  newFolder(file: string): string | undefined;
  /** Removes the folders of a file, up to this one, as long as nothing is in them. */
  removeEmpty(file: string, upTo: string): void;
  /** The note of the project, or the one of files that every project shares. */
  readBackup(of: BackupOf): string | undefined;
  /** Without a text the note is removed. */
  writeBackup(of: BackupOf, text: string | undefined): void;
}
