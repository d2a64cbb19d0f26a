/** A commit as a repository tells of it. */
export interface CommitFacts {
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly subject: string;
  readonly body: string;
  readonly merge: boolean;
  /** Paths from the top of the repository. */
  readonly files: readonly string[];
}
