import type { Embedder } from '../../core/ports/embedding.ts';
import type { Timers } from '../../core/ports/host.ts';
import {
  type TeamMember,
  ROLES,
  type TeamRole,
  SCOPES_OF_TOKENS,
  type StoredToken,
  type TeamProject,
  type TeamTransaction,
  type TokenScope,
} from '../../core/ports/team/store.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import type { Sha256 } from '../sync/plain-codec.ts';

/** The caller, from a token that is valid now. */
export interface TeamCaller {
  readonly org: number;
  readonly member: TeamMember;
  readonly token: StoredToken;
}

/** The clock, randomness and hashing of the server, passed in. */
export interface TeamMeans {
  readonly now: () => number;
  /** So many random bytes, in hex. */
  readonly random: (bytes: number) => string;
  readonly sha256: Sha256;
  /** For search by meaning; absent if no embedder is set up. */
  readonly meaning?: { readonly embedder: Embedder; readonly timers: Timers };
}

/** The lowest role that may use a scope. */
const ROLE_FOR: Readonly<Record<TokenScope, TeamRole>> = { read: 'reader', write: 'writer', review: 'reviewer', admin: 'admin' };

export const roleAllows = (role: TeamRole, scope: TokenScope): boolean => ROLES.indexOf(role) >= ROLES.indexOf(ROLE_FOR[scope]);

/** A token allows an action if both its scopes and its member's role do. */
export const mayDo = ({ member, token }: TeamCaller, scope: TokenScope): boolean => token.scopes.includes(scope) && roleAllows(member.role, scope);

/** The project with this key; refuses an unknown key. */
export async function projectFor(transaction: TeamTransaction, key: string): Promise<Result<TeamProject>> {
  const project = await transaction.project(key);
  return project ? ok(project) : refuse('NOT_FOUND', 'There is no such project.', { missing: true, hint: 'an admin makes it: holdfast team project NAME' });
}

const TOKEN = /^hf_([1-9]\d{0,8})_([0-9a-f]{12})_([0-9a-f]{64})$/;
const DAY_MS = 86_400_000;
/** Longest lifetime of a token. */
export const MOST_DAYS = 366;
/** A rotated token stays valid this long, for machines that do not have the new one yet. */
const ROTATION_MS = 10 * 60_000;

/** The parts of a token's text; not verified. */
export interface TokenParts {
  readonly org: number;
  readonly id: string;
  readonly secret: string;
}

export function tokenParts(text: string): TokenParts | undefined {
  const [, org, id, secret] = TOKEN.exec(text) ?? [];
  return org === undefined || id === undefined || secret === undefined ? undefined : { org: Number(org), id, secret };
}

/** The caller that a token identifies; undefined if the token is not valid now. */
export async function callerOf(transaction: TeamTransaction, { now, sha256 }: TeamMeans, { org, id, secret }: TokenParts): Promise<TeamCaller | undefined> {
  const token = await transaction.token(id);
  if (!token || token.hash !== sha256(secret)) return undefined;
  if (now() >= token.expiresAt || now() >= (token.revokedAt ?? Number.POSITIVE_INFINITY)) return undefined;
  const member = await transaction.member(token.member);
  return member && { org, member, token };
}

export interface TokenRequest {
  /** The member who requests it, if it is for another member. */
  readonly by?: string;
  readonly member: string;
  readonly scopes: readonly TokenScope[];
  readonly label: string;
  readonly days: number;
  /** The token of the request; the new token does not outlive it. */
  readonly parent?: StoredToken;
}

export interface IssuedToken {
  readonly id: string;
  readonly text: string;
  readonly expiresAt: number;
}

/** Makes a token; its text is shown once and stored nowhere. */
export async function issueToken(transaction: TeamTransaction, org: number, means: TeamMeans, request: TokenRequest): Promise<Result<IssuedToken>> {
  const member = await transaction.member(request.member);
  if (!member) return refuse('NOT_FOUND', `There is no member ${request.member}.`, { missing: true, hint: 'holdfast team members lists them' });
  const scopes = SCOPES_OF_TOKENS.filter((scope) => request.scopes.includes(scope));
  const beyond = scopes.find((scope) => !roleAllows(member.role, scope));
  if (beyond !== undefined || scopes.length === 0)
    return refuse('VALIDATION_ERROR', `A ${member.role} cannot have a token for ${beyond ?? 'nothing'}.`, { hint: 'choose scopes that the role allows' });
  const [id, secret] = [means.random(6), means.random(32)];
  const { label, days, parent } = request;
  const expiresAt = Math.min(means.now() + days * DAY_MS, parent?.expiresAt ?? Number.POSITIVE_INFINITY);
  const stored = { token: id, member: member.member, hash: means.sha256(secret), scopes, label, expiresAt };
  await transaction.addToken({ ...stored, ...(parent && { parent: parent.token }) });
  await transaction.audit(request.by ?? member.member, 'token.issue', `${id} for ${member.member}`);
  return ok({ id, text: `hf_${org}_${id}_${secret}`, expiresAt });
}

export interface DerivedTokenRequest {
  readonly scopes?: readonly TokenScope[];
  readonly label?: string;
  readonly days?: number;
}

/** Makes a token from the caller's: with no more scopes, no later end, and revoked together with it, so that a stolen token cannot be extended. */
export function tokenFrom(
  transaction: TeamTransaction,
  { org, member, token }: TeamCaller,
  means: TeamMeans,
  { scopes = token.scopes.filter((scope) => roleAllows(member.role, scope)), label = token.label, days = MOST_DAYS }: DerivedTokenRequest,
): Promise<Result<IssuedToken>> {
  return issueToken(transaction, org, means, { member: member.member, scopes, label, days, parent: token });
}

/** Replaces a token by one with the same scopes and end; the old one ends in ten minutes. */
export async function rotateToken(
  transaction: TeamTransaction,
  caller: TeamCaller,
  means: TeamMeans,
  request: Pick<DerivedTokenRequest, 'days'>,
): Promise<Result<IssuedToken>> {
  const issued = await tokenFrom(transaction, caller, means, request);
  if (issued.ok) {
    await transaction.endToken(caller.token.token, means.now() + ROTATION_MS);
    await transaction.audit(caller.member.member, 'token.rotate', caller.token.token);
  }
  return issued;
}

const MEMBER_ID = /^[a-z0-9][a-z0-9._-]{0,62}$/;

/** Adds a member or changes one. An organisation keeps at least one admin. */
export async function putMember(transaction: TeamTransaction, by: string, member: TeamMember): Promise<Result<TeamMember>> {
  if (!MEMBER_ID.test(member.member))
    return refuse('VALIDATION_ERROR', `${JSON.stringify(member.member)} cannot name a member.`, { hint: 'use small letters, digits, dots and hyphens' });
  if (member.role !== 'admin' && (await isLastAdmin(transaction, member.member))) return lastAdmin();
  const holder = member.subject === undefined ? undefined : await transaction.memberOfSubject(member.subject);
  if (holder && holder.member !== member.member) return refuse('VALIDATION_ERROR', `${holder.member} signs in with this subject already.`);
  await transaction.putMember(member);
  await transaction.audit(by, 'member.put', `${member.member} ${member.role}`);
  return ok(member);
}

export async function removeMember(transaction: TeamTransaction, by: string, member: string, now: number): Promise<Result<void>> {
  if (await isLastAdmin(transaction, member)) return lastAdmin();
  if (!(await transaction.removeMember(member, now))) return refuse('NOT_FOUND', `There is no member ${member}.`, { missing: true });
  await transaction.audit(by, 'member.remove', member);
  return ok(undefined);
}

const lastAdmin = (): Result<never> => refuse('SECURITY_ERROR', 'An organisation needs an admin.', { hint: 'make another member admin first' });

async function isLastAdmin(transaction: TeamTransaction, member: string): Promise<boolean> {
  const admins = (await transaction.members()).filter(({ role }) => role === 'admin');
  return admins.length === 1 && admins[0]?.member === member;
}
