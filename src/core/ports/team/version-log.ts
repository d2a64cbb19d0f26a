import type { RemoteVersion, VersionKind } from './sync.ts';

export interface LoggedVersion extends RemoteVersion {
  readonly seq: number;
}

/** A version as it is appended. */
export interface NewVersion extends RemoteVersion {
  readonly base: string | null;
  /** The member who made it. */
  readonly author: string;
}

/** Who made a version, and when the server took it. */
export interface VersionFacts {
  readonly hash: string;
  readonly kind: VersionKind;
  readonly author: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** False if the text was forgotten. */
  readonly hasText: boolean;
}

/** The versions of one space of one project, inside one transaction that no other writer of the space shares. */
export interface VersionLog {
  /** The number of the last change and the mark of its place in the chain. */
  tip(): Promise<{ readonly seq: number; readonly mark: string }>;
  /** The mark of a change; undefined if there is none. */
  markAt(seq: number): Promise<string | undefined>;
  /** The current version of a record; undefined if there never was one. */
  head(id: string): Promise<RemoteVersion | undefined>;
  /** Whether a version was taken on top of another. */
  has(id: string, hash: string, base: string | null): Promise<boolean>;
  append(version: NewVersion, mark: string): Promise<void>;
  /** Erases every text that a record had; its hashes stay. */
  eraseTexts(id: string): Promise<void>;
  /** The current versions of records that changed after a sequence number, in the order of the changes. */
  headsAfter(seq: number, limit: number): Promise<readonly LoggedVersion[]>;
  body(id: string, hash: string): Promise<string | undefined>;
  /** The versions of a record, newest first. */
  history(id: string, limit: number): Promise<readonly VersionFacts[]>;
}
