import type { ForgottenText } from '../lifecycle/forgotten-text.ts';
import type { FileRef } from './store.ts';

/** A file that still holds some of the text, and whose file it is. */
export interface HeldText {
  readonly file: string;
  /** A record or document of the user, Holdfast's own state, or a file of the client such as a transcript. */
  readonly owner: 'memory' | 'holdfast' | 'client';
  readonly sentences: readonly string[];
}

export interface SweepReport {
  /** Files that were read, archives unpacked and databases row by row. */
  readonly checked: number;
  readonly held: readonly HeldText[];
}

/** How records are called: `category/id`, and where their files lie or lay. */
export interface ForgottenRecords {
  readonly ids: readonly string[];
  readonly places: readonly FileRef[];
}

/** Everything under the home, whatever the project. */
export interface TextSweep {
  /** Reads every file that may hold the text. */
  find(text: ForgottenText): Promise<SweepReport>;
  /** Takes the text out of Holdfast's own state: archived conversations, kept versions, journals, notes, drafts, logs and vectors. */
  clean(text: ForgottenText, records: ForgottenRecords): Promise<void>;
  /** Takes it out of the client's transcripts. */
  cleanTranscripts(text: ForgottenText): Promise<void>;
}
