import { issueToken, type IssuedToken, mayDo, putMember, removeMember, rotateToken, tokenFrom } from '../../app/team/access.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import type { ApiOperation } from './operation.ts';
import { ANSWERS, BODIES, MEMBER_PARAM, QUERIES, TOKEN_ID } from './schemas.ts';

/** A session of the page lasts one day at most. */
const SESSION_DAYS = 1;
const iso = (ms: number): string => new Date(ms).toISOString();
const DONE = ok({ ok: true as const });

const tokenAnswer = (issued: Result<IssuedToken>): Result<object> =>
  issued.ok ? ok({ id: issued.value.id, token: issued.value.text, expires_at: iso(issued.value.expiresAt) }) : issued;

/** Members, tokens and the audit log. */
export const ACCOUNT_OPERATIONS: readonly ApiOperation[] = [
  {
    method: 'get',
    path: '/v1/me',
    about: 'The member that the token belongs to, and its scopes.',
    scope: 'read',
    answer: ANSWERS.me,
    run: async ({ transaction, caller: { member, token } }) =>
      ok({ organisation: await transaction.organisationName(), member, scopes: token.scopes, expires_at: iso(token.expiresAt) }),
  },
  {
    method: 'get',
    path: '/v1/members',
    about: 'The members of the organisation. Admins also see their subjects at the identity provider.',
    scope: 'read',
    answer: ANSWERS.members,
    run: async ({ transaction, caller }) => {
      const members = await transaction.members();
      return ok({ members: mayDo(caller, 'admin') ? members : members.map(({ subject: _subject, ...member }) => member) });
    },
  },
  {
    method: 'put',
    path: '/v1/members',
    about: 'Adds a member, or changes name, role and subject.',
    scope: 'admin',
    body: BODIES.putMember,
    answer: ANSWERS.member,
    run: ({ transaction, caller, body }) => putMember(transaction, caller.member.member, body as Parameters<typeof putMember>[2]),
  },
  {
    method: 'delete',
    path: '/v1/members/{member}',
    about: 'Removes a member and revokes their tokens; what they wrote stays.',
    scope: 'admin',
    params: { member: MEMBER_PARAM },
    answer: ANSWERS.nothing,
    run: async ({ transaction, caller, params, means }) => {
      const removed = await removeMember(transaction, caller.member.member, params['member'] ?? '', means.now());
      return removed.ok ? DONE : removed;
    },
  },
  {
    method: 'get',
    path: '/v1/tokens',
    about: 'Tokens without their secrets: an admin sees those of the organisation, others see their own.',
    scope: 'read',
    answer: ANSWERS.tokens,
    run: async ({ transaction, caller }) => {
      const all = (await transaction.tokens()).filter(({ member }) => mayDo(caller, 'admin') || member === caller.member.member);
      return ok({
        tokens: all.map(({ token, member, label, scopes, expiresAt, revokedAt, parent }) => ({
          ...{ id: token, member, label, scopes, expires_at: iso(expiresAt) },
          ...(revokedAt !== undefined && { revoked_at: iso(revokedAt) }),
          ...(parent !== undefined && { made_from: parent }),
        })),
      });
    },
  },
  {
    method: 'post',
    path: '/v1/tokens',
    about:
      'Makes a token, which is shown once. An admin makes tokens for any member. Others make tokens for themselves, with no more scopes than the calling token has; they end with it.',
    scope: 'read',
    body: BODIES.issueToken,
    answer: ANSWERS.token,
    run: async ({ transaction, caller, means, body }) => {
      const { member = caller.member.member, ...request } = body as { readonly member?: string } & Omit<Parameters<typeof issueToken>[3], 'member'>;
      if (mayDo(caller, 'admin')) return tokenAnswer(await issueToken(transaction, caller.org, means, { member, ...request, by: caller.member.member }));
      const isOwn = member === caller.member.member && request.scopes.every((scope) => caller.token.scopes.includes(scope));
      if (!isOwn) return refuse('SECURITY_ERROR', 'Only an admin makes tokens for others, or for more than their own.', { hint: 'ask an admin for it' });
      return tokenAnswer(await tokenFrom(transaction, caller, means, request));
    },
  },
  {
    method: 'post',
    path: '/v1/session',
    about: 'Makes a token for a session of the page, with the same scopes. It ends after a day, or with the calling token.',
    scope: 'read',
    answer: ANSWERS.token,
    run: async ({ transaction, caller, means }) => tokenAnswer(await tokenFrom(transaction, caller, means, { label: 'page', days: SESSION_DAYS })),
  },
  {
    method: 'post',
    path: '/v1/tokens/rotate',
    about: 'Replaces the calling token by a new one with the same scopes that ends no later. The old one ends in ten minutes.',
    scope: 'read',
    body: BODIES.rotateToken,
    answer: ANSWERS.token,
    run: async ({ transaction, caller, means, body }) => tokenAnswer(await rotateToken(transaction, caller, means, body as { readonly days?: number })),
  },
  {
    method: 'delete',
    path: '/v1/tokens/{id}',
    about: 'Revokes a token, and the tokens that were made from it, at once.',
    scope: 'read',
    params: { id: TOKEN_ID },
    answer: ANSWERS.nothing,
    run: async ({ transaction, caller, params, means }) => {
      const token = await transaction.token(params['id'] ?? '');
      const isOwn = token?.member === caller.member.member;
      if (!token || (!isOwn && !mayDo(caller, 'admin'))) return refuse('NOT_FOUND', 'There is no such token.', { missing: true });
      await transaction.revokeToken(token.token, means.now());
      await transaction.audit(caller.member.member, 'token.revoke', token.token);
      return DONE;
    },
  },
  {
    method: 'get',
    path: '/v1/audit',
    about: 'The changes of accounts, projects and proposals, newest first.',
    scope: 'admin',
    query: QUERIES.audit,
    answer: ANSWERS.audit,
    run: async ({ transaction, query }) => ok({ entries: await transaction.auditEntries(Number(query['limit'] ?? 200)) }),
  },
];
