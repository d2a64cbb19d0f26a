import type { ConversationStore } from './conversations.ts';
import type { ItemIndex } from './search.ts';
import type { OfferedVersion } from './sync.ts';
import type { VersionLog } from './version-log.ts';

/** The roles of members; each role also has the rights of those before it. */
export const ROLES = ['reader', 'writer', 'reviewer', 'admin'] as const;
export type TeamRole = (typeof ROLES)[number];

/** The uses that a token allows. */
export const SCOPES_OF_TOKENS = ['read', 'write', 'review', 'admin'] as const;
export type TokenScope = (typeof SCOPES_OF_TOKENS)[number];

export interface TeamMember {
  readonly member: string;
  readonly name: string;
  readonly role: TeamRole;
  /** Who they are to the OIDC issuer. */
  readonly subject?: string;
}

/** A token as it is stored: a hash of its secret, never the secret. Times are in milliseconds. */
export interface StoredToken {
  readonly token: string;
  readonly member: string;
  readonly hash: string;
  readonly scopes: readonly TokenScope[];
  readonly label: string;
  readonly expiresAt: number;
  readonly revokedAt?: number;
  /** The token that asked for it; absent where an admin or a sign-in made it. */
  readonly parent?: string;
}

export interface TeamProject {
  readonly project: number;
  readonly key: string;
  /** Whether what a writer sends waits for a reviewer. */
  readonly review: boolean;
}

export type ProposalState = 'open' | 'accepted' | 'rejected';

export interface Proposal {
  readonly number: number;
  readonly version: OfferedVersion;
  readonly author: string;
  readonly state: ProposalState;
  readonly at: string;
  readonly reviewer?: string;
  readonly reason?: string;
}

export interface AuditEntry {
  readonly at: string;
  readonly member: string;
  readonly action: string;
  readonly target: string;
}

/** Everything of one organisation, in one transaction, which is committed only if the work returns. */
export interface TeamTransaction {
  organisationName(): Promise<string>;
  member(member: string): Promise<TeamMember | undefined>;
  memberOfSubject(subject: string): Promise<TeamMember | undefined>;
  members(): Promise<readonly TeamMember[]>;
  /** Adds a member, or changes name, role and subject. */
  putMember(member: TeamMember): Promise<void>;
  /** Removes a member and revokes their tokens; what they wrote stays. */
  removeMember(member: string, at: number): Promise<boolean>;
  token(token: string): Promise<StoredToken | undefined>;
  tokens(): Promise<readonly StoredToken[]>;
  addToken(token: StoredToken): Promise<void>;
  /** Sets the end of a token, never later than it is. */
  endToken(token: string, at: number): Promise<void>;
  /** Ends a token at once, and every token that was made from it. */
  revokeToken(token: string, at: number): Promise<void>;
  projects(): Promise<readonly TeamProject[]>;
  project(key: string): Promise<TeamProject | undefined>;
  addProject(key: string): Promise<TeamProject>;
  setReview(project: number, review: boolean): Promise<void>;
  /** The versions of a space; `writing` waits for its other writers. */
  log(project: number, space: string, use: 'reading' | 'writing'): Promise<VersionLog>;
  /** The team's records and documents, as a search finds them. */
  items(project: number): ItemIndex;
  conversations(project: number): ConversationStore;
  proposals(project: number, state: ProposalState | undefined): Promise<readonly Proposal[]>;
  proposal(project: number, number: number): Promise<Proposal | undefined>;
  /** The proposal of a version, new or the one that there is. */
  propose(project: number, version: OfferedVersion, author: string): Promise<Proposal>;
  decideProposal(project: number, number: number, state: ProposalState, reviewer: string, reason: string): Promise<void>;
  audit(member: string, action: string, target: string): Promise<void>;
  auditEntries(limit: number): Promise<readonly AuditEntry[]>;
}

/** Organisations and what they keep, strictly apart. */
export interface TeamStore<Transaction extends TeamTransaction = TeamTransaction> {
  organisationNamed(name: string): Promise<number | undefined>;
  addOrganisation(name: string): Promise<number>;
  inOrganisation<T>(org: number, work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /** Fails where the database does not answer. */
  check(): Promise<void>;
  close(): Promise<void>;
}
