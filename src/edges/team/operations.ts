import type { OfferedVersion, Space } from '../../core/ports/team/sync.ts';
import { ok, refuse } from '../../core/result.ts';
import { bodyFor, changesFor, offerFor } from '../../app/team/exchange.ts';
import { decideProposal, listProposals } from '../../app/team/review.ts';
import { ACCOUNT_OPERATIONS } from './account-operations.ts';
import { CONVERSATION_OPERATIONS } from './conversation-operations.ts';
import type { ApiOperation, OperationCall } from './operation.ts';
import { ANSWERS, BODIES, PROJECT_KEY, PROPOSAL_NUMBER, QUERIES, SPACE, VERSION_ID } from './schemas.ts';
import { RECORD_OPERATIONS } from './record-operations.ts';
import { SEARCH_OPERATIONS } from './search-operations.ts';

const IN_PROJECT = { project: PROJECT_KEY };
const placeOf = ({ params }: OperationCall): { readonly project: string; readonly space: Space } => ({
  project: params['project'] ?? '',
  space: params['space'] as Space,
});

const EXCHANGE: readonly ApiOperation[] = [
  {
    method: 'get',
    path: '/v1/projects/{project}/{space}/changes',
    about: 'Changes since a cursor. `restarted` says that the server does not know the cursor, because it was restored, and that these are all its changes.',
    scope: 'read',
    params: { ...IN_PROJECT, space: SPACE },
    query: QUERIES.changes,
    answer: ANSWERS.changes,
    run: (call) => changesFor(call.transaction, call.caller, placeOf(call), call.query['cursor'], call.query['tip']),
  },
  {
    method: 'post',
    path: '/v1/projects/{project}/{space}/versions',
    about: 'Offers versions, each with the version it is based on. Offering one twice has no further effect.',
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
    about: 'The body of an earlier version, for merging; null if it is gone.',
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
    about: 'Proposed versions, each with the team’s current version.',
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
    about: 'Makes a proposal the team’s version. Members cannot accept their own.',
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
    about: 'Adds a project. An existing project keeps its review setting, unless the body gives one.',
    scope: 'admin',
    body: BODIES.addProject,
    answer: ANSWERS.project,
    run: async ({ transaction, caller, body }) => {
      const { key, review } = body as { readonly key: string; readonly review?: boolean };
      const { project, review: before } = await transaction.addProject(key);
      if (review !== undefined) await transaction.setReview(project, review);
      await transaction.audit(caller.member.member, 'project.add', review === undefined ? key : `${key} ${review}`);
      return ok({ key, review: review ?? before });
    },
  },
  {
    method: 'patch',
    path: '/v1/projects/{project}',
    about: 'Sets whether changes by writers wait for a reviewer.',
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

/** All operations of the API. Routes, checks and the OpenAPI document are made from this list. */
export const OPERATIONS: readonly ApiOperation[] = [
  ...SEARCH_OPERATIONS,
  ...RECORD_OPERATIONS,
  ...CONVERSATION_OPERATIONS,
  ...EXCHANGE,
  ...REVIEW,
  ...PROJECTS,
  ...ACCOUNT_OPERATIONS,
];
