import type { Result } from '../../result.ts';

/** The content of a version: a text, or the removal of the record; `forgotten` also erases its earlier texts. */
export type VersionKind = 'text' | 'deleted' | 'forgotten';

/** Team records, which every member reads, or one member's own, which only their machines can read. */
export type Space = 'shared' | 'private';

/** A version of one record as a server keeps it. The id stands for the path without naming it, so that a removal names nothing. */
export interface RemoteVersion {
  readonly id: string;
  readonly hash: string;
  readonly kind: VersionKind;
  /** Absent for a removal. */
  readonly body?: string;
  /** Hashes of the versions it was made from, newest first. */
  readonly ancestors: readonly string[];
}

export interface ChangePage {
  readonly changes: readonly RemoteVersion[];
  /** The position from which the next request continues. */
  readonly cursor: string;
  readonly more: boolean;
  /** The server does not know the cursor that it was asked with: it was restored from a backup, and these are its changes from the first on. */
  readonly restarted: boolean;
}

export interface OfferedVersion extends RemoteVersion {
  /** The version that the server must have to accept it; null for none. */
  readonly base: string | null;
}

export type OfferOutcome =
  | { readonly id: string; readonly state: 'accepted' }
  /** It waits for a reviewer. */
  | { readonly id: string; readonly state: 'proposed'; readonly proposal: string }
  /** The server has another version than the base. */
  | { readonly id: string; readonly state: 'conflict'; readonly current?: RemoteVersion }
  | { readonly id: string; readonly state: 'refused'; readonly message: string };

export interface OfferAnswer {
  readonly outcomes: readonly OfferOutcome[];
  /** The server's position after it. A client that sends it again learns whether the server has lost something. */
  readonly tip: string;
}

/** One project on a server. Every call may be repeated with the same effect. */
export interface Remote {
  /** Changes after a cursor; `tip` is where the server stood when this machine last heard of it. */
  changes(space: Space, cursor: string | undefined, tip: string | undefined): Promise<Result<ChangePage>>;
  offer(space: Space, versions: readonly OfferedVersion[]): Promise<Result<OfferAnswer>>;
  /** The body of an earlier version; undefined if the server no longer has it. */
  body(space: Space, id: string, hash: string): Promise<Result<string | undefined>>;
}

/** How files become versions: in plain text for a team, sealed for the user's own machines. */
export interface VersionCodec {
  idOf(path: string): string;
  hashOf(path: string, text: string): string;
  /** The hash of a removal of the version `last`. */
  removalOf(id: string, kind: VersionKind, last: string | null): string;
  pack(path: string, text: string): string;
  /** Refused where it was made with another key, or is damaged. */
  unpack(body: string): Result<{ readonly path: string; readonly text: string }>;
}

/** The file in which a machine remembers what it and the server agreed on; replaced as a whole. */
export interface SyncStateFile {
  read(): string | undefined;
  write(text: string): void;
}
