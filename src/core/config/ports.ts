import type { Level } from './spec.ts';

/** The files that settings live in: the user's settings.json, and a memory-config.json in the shared and in the private root. */
export interface ConfigFiles {
  /** Where a level's file is; undefined when there is none to have, as without a project. */
  place(level: Level): string | undefined;
  /** The file's text; undefined when it is absent. Throws where it is there and may not be read. */
  read(level: Level): string | undefined;
  /** Replaces the file, unless its text is no longer `before`: then someone else wrote, nothing is done, and the answer is false. */
  write(level: Level, text: string, before: string | undefined): boolean;
}
