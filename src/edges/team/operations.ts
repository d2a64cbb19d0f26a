import type { OfferedVersion, Space } from '../../core/ports/team/sync.ts';
import { ok, refuse } from '../../core/result.ts';
import { issueToken, mayDo, putMember, removeMember, rotateToken } from '../../app/team/access.ts';
import { bodyFor, changesFor, offerFor } from '../../app/team/exchange.ts';
import { decideProposal, listProposals } from '../../app/team/review.ts';
import { CONVERSATION_OPERATIONS } from './conversation-operations.ts';
import type { ApiOperation, OperationCall } from './operation.ts';
import { ANSWERS, BODIES, MEMBER_PARAM, PROJECT_KEY, PROPOSAL_NUMBER, QUERIES, SPACE, TOKEN_ID, VERSION_ID } from './schemas.ts';
import { RECORD_OPERATIONS } from './record-operations.ts';
import { SEARCH_OPERATIONS } from './search-operations.ts';

const iso = (ms: number): string => new Date(ms).toISOString();
const DONE = ok({ ok: true as const });
const IN_PROJECT = { project: PROJECT_KEY };
const placeOf = ({ params }: OperationCall): { readonly project: string; readonly space: Space } => ({
  project: params['project'] ?? '',
  space: params['space'] as Space,
});

const EXCHANGE: readonly ApiOperation[] = [
  {
    method: 'get',
    path: '/v1/projects/{project}/{space}/changes',
    about: 'Changes since a cursor. `restarted` says that the server does not know it: it was restored, and these are its changes from the first on.',
    scope: 'read',
    params: { ...IN_PROJECT, space: SPACE },
    query: QUERIES.changes,
    answer: ANSWERS.changes,
    run: (call) => changesFor(call.transaction, call.caller, placeOf(call), call.query['cursor'], call.query['tip']),
  },
  {
    method: 'post',
    path: '/v1/projects/{project}/{space}/versions',
    about: 'Offers versions, each on top of the one it was made from. Offering one twice is the same as once.',
    scope: 'write',
    params: { ...IN_PROJECT, space: SPACE },
    body: BODIES.offer,
    answer: ANSWERS.offer,
    run: (call) => {
      const { versions, propose = false } = call.body as { readonly versions: readonly OfferedVersion[]; readonly propose?: boolean };
      return offerFor(call.transaction, call.caller, placeOf(call), versions, call.means, propose);
    },
  },
  {
    method: 'get',
    path: '/v1/projects/{project}/{space}/versions/{id}/{hash}',
    about: 'The body of an earlier version, for merging; null where it is gone.',
    scope: 'read',
    params: { ...IN_PROJECT, space: SPACE, id: VERSION_ID, hash: VERSION_ID },
    answer: ANSWERS.body,
    run: async (call) => {
      const body = await bodyFor(call.transaction, call.caller, placeOf(call), call.params['id'] ?? '', call.params['hash'] ?? '');
      return body.ok ? ok({ body: body.value ?? null }) : body;
    },
  },
];

const decide = (verdict: 'accepted' | 'rejected') => (call: OperationCall) =>
  decideProposal(
    call.transaction,
    call.caller,
    { project: call.params['project'] ?? '', number: Number(call.params['number']), verdict, reason: (call.body as { readonly reason: string }).reason },
    call.means,
  );

const REVIEW: readonly ApiOperation[] = [
  {
    method: 'get',
    path: '/v1/projects/{project}/proposals',
    about: 'Proposed versions with what the team has now.',
    scope: 'read',
    params: IN_PROJECT,
    query: QUERIES.proposals,
    answer: ANSWERS.proposals,
    run: async ({ transaction, params, query, means }) => {
      const proposals = await listProposals(transaction, params['project'] ?? '', query['state'] as 'open' | undefined, means);
      return proposals.ok ? ok({ proposals: proposals.value }) : proposals;
    },
  },
  {
    method: 'post',
    path: '/v1/projects/{project}/proposals/{number}/accept',
    about: 'Makes a proposal the team’s version. Nobody accepts their own.',
    scope: 'review',
    params: { ...IN_PROJECT, number: PROPOSAL_NUMBER },
    body: BODIES.decide,
    answer: ANSWERS.proposal,
    run: decide('accepted'),
  },
  {
    method: 'post',
    path: '/v1/projects/{project}/proposals/{number}/reject',
    about: 'Rejects a proposal with a reason for its author.',
    scope: 'review',
    params: { ...IN_PROJECT, number: PROPOSAL_NUMBER },
    body: BODIES.decide,
    answer: ANSWERS.proposal,
    run: decide('rejected'),
  },
];

const PROJECTS: readonly ApiOperation[] = [
  {
    method: 'get',
    path: '/v1/projects',
    about: 'The projects of the organisation.',
    scope: 'read',
    answer: ANSWERS.projects,
    run: async ({ transaction }) => ok({ projects: (await transaction.projects()).map(({ key, review }) => ({ key, review })) }),
  },
  {
    method: 'post',
    path: '/v1/projects',
    about: 'Adds a project.',
    scope: 'admin',
    body: BODIES.addProject,
    answer: ANSWERS.project,
    run: async ({ transaction, caller, body }) => {
      const { key, review = false } = body as { readonly key: string; readonly review?: boolean };
      const { project } = await transaction.addProject(key);
      await transaction.setReview(project, review);
      await transaction.audit(caller.member.member, 'project.add', key);
      return ok({ key, review });
    },
  },
  {
    method: 'patch',
    path: '/v1/projects/{project}',
    about: 'Says whether what writers send waits for a reviewer.',
    scope: 'admin',
    params: IN_PROJECT,
    body: BODIES.changeProject,
    answer: ANSWERS.project,
    run: async ({ transaction, caller, params, body }) => {
      const project = await transaction.project(params['project'] ?? '');
      if (!project) return refuse('NOT_FOUND', 'There is no such project.', { missing: true });
      const { review } = body as { readonly review: boolean };
      await transaction.setReview(project.project, review);
      await transaction.audit(caller.member.member, 'project.review', `${project.key} ${review}`);
      return ok({ key: project.key, review });
    },
  },
];

const ACCOUNTS: readonly ApiOperation[] = [
  {
    method: 'get',
    path: '/v1/me',
    about: 'Who the token belongs to and what it opens.',
    scope: 'read',
    answer: ANSWERS.me,
    run: async ({ transaction, caller: { member, token } }) =>
      ok({ organisation: await transaction.organisationName(), member, scopes: token.scopes, expires_at: iso(token.expiresAt) }),
  },
  {
    method: 'get',
    path: '/v1/members',
    about: 'The members of the organisation.',
    scope: 'read',
    answer: ANSWERS.members,
    run: async ({ transaction }) => ok({ members: await transaction.members() }),
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
    about: 'Tokens, without their secrets: an admin’s are those of the organisation, others see their own.',
    scope: 'read',
    answer: ANSWERS.tokens,
    run: async ({ transaction, caller }) => {
      const all = (await transaction.tokens()).filter(({ member }) => mayDo(caller, 'admin') || member === caller.member.member);
      return ok({
        tokens: all.map(({ token, member, label, scopes, expiresAt, revokedAt }) => ({
          ...{ id: token, member, label, scopes, expires_at: iso(expiresAt) },
          ...(revokedAt !== undefined && { revoked_at: iso(revokedAt) }),
        })),
      });
    },
  },
  {
    method: 'post',
    path: '/v1/tokens',
    about: 'Makes a token, shown once. An admin makes them for any member.',
    scope: 'read',
    body: BODIES.issueToken,
    answer: ANSWERS.token,
    run: async ({ transaction, caller, means, body }) => {
      const { member = caller.member.member, ...request } = body as { readonly member?: string } & Omit<Parameters<typeof issueToken>[3], 'member'>;
      const isOwn = member === caller.member.member && request.scopes.every((scope) => caller.token.scopes.includes(scope));
      if (!isOwn && !mayDo(caller, 'admin')) return refuse('SECURITY_ERROR', 'Only an admin makes tokens for others, or for more than their own.');
      const made = await issueToken(transaction, caller.org, means, { member, ...request, by: caller.member.member });
      return made.ok ? ok({ id: made.value.id, token: made.value.text }) : made;
    },
  },
  {
    method: 'post',
    path: '/v1/tokens/rotate',
    about: 'Replaces the token that is used by a new one; the old one ends in ten minutes.',
    scope: 'read',
    body: BODIES.rotateToken,
    answer: ANSWERS.token,
    run: async ({ transaction, caller, means, body }) => {
      const made = await rotateToken(transaction, caller, means, (body as { readonly days: number }).days);
      return made.ok ? ok({ id: made.value.id, token: made.value.text }) : made;
    },
  },
  {
    method: 'delete',
    path: '/v1/tokens/{id}',
    about: 'Revokes a token at once.',
    scope: 'read',
    params: { id: TOKEN_ID },
    answer: ANSWERS.nothing,
    run: async ({ transaction, caller, params, means }) => {
      const token = await transaction.token(params['id'] ?? '');
      const isOwn = token?.member === caller.member.member;
      if (!token || (!isOwn && !mayDo(caller, 'admin'))) return refuse('NOT_FOUND', 'There is no such token.', { missing: true });
      await transaction.endToken(token.token, means.now());
      await transaction.audit(caller.member.member, 'token.revoke', token.token);
      return DONE;
    },
  },
  {
    method: 'get',
    path: '/v1/audit',
    about: 'Who changed accounts, projects and proposals, newest first.',
    scope: 'admin',
    query: QUERIES.audit,
    answer: ANSWERS.audit,
    run: async ({ transaction, query }) => ok({ entries: await transaction.auditEntries(Number(query['limit'] ?? 200)) }),
  },
];

/** Everything that the server answers to a token. Routes, checks and the OpenAPI document are made of this list. */
export const OPERATIONS: readonly ApiOperation[] = [
  ...SEARCH_OPERATIONS,
  ...RECORD_OPERATIONS,
  ...CONVERSATION_OPERATIONS,
  ...EXCHANGE,
  ...REVIEW,
  ...PROJECTS,
  ...ACCOUNTS,
];
