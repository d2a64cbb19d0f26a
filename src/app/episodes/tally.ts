import type { SkipReason } from '../../capture/transcripts/event.ts';
import type { StoredBatch } from '../../core/ports/episodes.ts';

export interface SkippedTranscript {
  readonly file: string;
  readonly reason: string;
}

export interface SkippedLines {
  readonly reason: SkipReason;
  readonly count: number;
  /** The place of the first of them. */
  readonly file: string;
  readonly line: number;
}

export interface ImportedProject {
  readonly key: string;
  readonly sessions: number;
  readonly messages: number;
  /** Its folder, if this machine does not have it. */
  readonly absent?: string;
  /** The project whose repository its conversations show. */
  readonly clone?: string;
}

export interface ImportReport {
  readonly files: number;
  readonly imported: number;
  readonly unchanged: number;
  readonly bytes: number;
  readonly messages: number;
  readonly repeated: number;
  readonly grown: number;
  readonly sessions: number;
  readonly repairedLines: number;
  readonly projects: readonly ImportedProject[];
  readonly skippedFiles: readonly SkippedTranscript[];
  readonly skippedLines: readonly SkippedLines[];
  readonly dropped: readonly string[];
}

/** Counts the imported and the skipped parts of an import. */
export class Tally {
  files = 0;
  imported = 0;
  unchanged = 0;
  bytes = 0;
  repairedLines = 0;
  remade = false;
  readonly #skippedFiles: SkippedTranscript[] = [];
  readonly #skippedLines = new Map<SkipReason, { count: number; readonly file: string; readonly line: number }>();
  readonly #projects = new Map<string, { readonly sessions: Set<string>; messages: number }>();
  readonly #dropped = new Set<string>();
  #messages = 0;
  #repeated = 0;
  #grown = 0;

  skipFile(file: string, reason: string): void {
    this.#skippedFiles.push({ file, reason });
  }

  skipLine(reason: SkipReason, file: string, line: number): void {
    const known = this.#skippedLines.get(reason);
    if (known === undefined) this.#skippedLines.set(reason, { count: 1, file, line });
    else known.count++;
  }

  addBatches(batches: readonly StoredBatch[]): void {
    for (const { key, messages, repeated, grown, sessions, remade } of batches) {
      this.remade ||= remade;
      this.#messages += messages;
      this.#repeated += repeated;
      this.#grown += grown;
      const project = this.#projects.get(key) ?? { sessions: new Set(), messages: 0 };
      this.#projects.set(key, project);
      project.messages += messages;
      for (const session of sessions) project.sessions.add(session);
    }
  }

  dropped(sessions: readonly string[]): void {
    for (const session of sessions) this.#dropped.add(session);
  }

  report(): ImportReport {
    const projects = [...this.#projects]
      .map(([key, { sessions, messages }]) => ({ key, sessions: sessions.size, messages }))
      .filter(({ sessions }) => sessions > 0);
    return {
      files: this.files,
      imported: this.imported,
      unchanged: this.unchanged,
      bytes: this.bytes,
      messages: this.#messages,
      repeated: this.#repeated,
      grown: this.#grown,
      sessions: projects.reduce((sum, { sessions }) => sum + sessions, 0),
      repairedLines: this.repairedLines,
      projects: projects.toSorted((a, b) => b.messages - a.messages),
      skippedFiles: this.#skippedFiles,
      skippedLines: [...this.#skippedLines].map(([reason, { count, file, line }]) => ({ reason, count, file, line })),
      dropped: [...this.#dropped],
    };
  }
}
