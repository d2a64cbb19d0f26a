import type { SessionFacts } from '../../core/episode/episode.ts';

/** A project as far as capturing its sessions goes. */
export interface EpisodeProject {
  readonly key: string;
  /** Its folder, which globs are relative to. */
  readonly folder?: string;
  /** `capture.exclude` and `archive.maxBytes`, as they hold for it. */
  readonly exclude: readonly string[];
  readonly archiveBytes: number;
}

export interface EpisodeProjects {
  /** The project that a session belongs to by what its transcript says. */
  of(facts: SessionFacts, source: string): Promise<EpisodeProject>;
  byKey(key: string): Promise<EpisodeProject>;
}
