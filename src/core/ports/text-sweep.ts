import type { ForgottenText } from '../lifecycle/forgotten-text.ts';
import type { FileRef } from './store.ts';

/** A file that still contains some of the text, and its owner. */
export interface FileWithText {
  readonly file: string;
  /** A record or document of the user, Holdfast's own state, or a file of the client such as a transcript. */
  readonly owner: 'memory' | 'holdfast' | 'client';
  readonly sentences: readonly string[];
}

export interface SweepReport {
  /** Number of files that were read; archives are unpacked, databases read row by row. */
  readonly checked: number;
  readonly files: readonly FileWithText[];
}

/** The ids of records, as `category/id`, and the present or former places of their files. */
export interface ForgottenRecords {
  readonly ids: readonly string[];
  readonly places: readonly FileRef[];
}

/** Searches all files under the home, in every project. */
export interface TextSweep {
  /** Searches every file that may contain the text. */
  find(text: ForgottenText): Promise<SweepReport>;
  /** Removes the text from Holdfast's own state: archived conversations, old versions, journals, notes, drafts, logs and vectors. */
  clean(text: ForgottenText, records: ForgottenRecords): Promise<void>;
  /** Removes the text from the client's transcripts. */
  cleanTranscripts(text: ForgottenText): Promise<void>;
}
