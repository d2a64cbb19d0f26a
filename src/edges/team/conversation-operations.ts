import {
  listConversations,
  messagesForTeam,
  type OfferedConversation,
  type OfferedDigest,
  removeConversation,
  takeConversations,
  wantedConversations,
} from '../../app/team/conversations.ts';
import { epochOf, utcSeconds } from '../../core/instant.ts';
import type { TeamConversation } from '../../core/ports/team/conversations.ts';
import { ok } from '../../core/result.ts';
import type { ApiOperation } from './operation.ts';
import { ANSWERS, BODIES, PROJECT_KEY, QUERIES, SESSION_PARAM } from './schemas.ts';

const PAGE = 50;
/** Messages on each side of the one that `around` names. */
const NEIGHBOURS = 10;

const conversationAnswer = ({ id, author, client, title, messages, startedAt, endedAt }: TeamConversation) => ({
  ...{ id, author, client, title, messages },
  ...(startedAt !== undefined && { started_at: utcSeconds(startedAt) }),
  ...(endedAt !== undefined && { ended_at: utcSeconds(endedAt) }),
});

/** Routes match in this order, so `wanted` comes before `{session}`. */
export const CONVERSATION_OPERATIONS: readonly ApiOperation[] = [
  {
    method: 'post',
    path: '/v1/projects/{project}/conversations/wanted',
    about: 'Says which of the caller’s conversations the server lacks or has with another text.',
    scope: 'write',
    params: { project: PROJECT_KEY },
    body: BODIES.wanted,
    answer: ANSWERS.wanted,
    run: ({ transaction, caller, params, body }) =>
      wantedConversations(transaction, caller, params['project'] ?? '', (body as { readonly conversations: readonly OfferedDigest[] }).conversations),
  },
  {
    method: 'post',
    path: '/v1/projects/{project}/conversations',
    about: 'Takes conversations, each a text of JSON lines. Every member can search and read them. Sending one twice is the same as once.',
    scope: 'write',
    params: { project: PROJECT_KEY },
    body: BODIES.takeConversations,
    answer: ANSWERS.taken,
    run: ({ transaction, caller, params, body, means }) =>
      takeConversations(
        transaction,
        caller,
        params['project'] ?? '',
        (body as { readonly conversations: readonly OfferedConversation[] }).conversations,
        means,
      ),
  },
  {
    method: 'get',
    path: '/v1/projects/{project}/conversations',
    about: 'The conversations of a project without their texts, newest first. `before` is the `ended_at` of the last one of the page before.',
    scope: 'read',
    params: { project: PROJECT_KEY },
    query: QUERIES.conversations,
    answer: ANSWERS.conversations,
    run: async ({ transaction, params, query }) => {
      const before = epochOf(query['before']);
      const page = { limit: Number(query['limit'] ?? PAGE), ...(before !== undefined && { before }) };
      const all = await listConversations(transaction, params['project'] ?? '', page);
      return all.ok ? ok({ conversations: all.value.map(conversationAnswer) }) : all;
    },
  },
  {
    method: 'get',
    path: '/v1/projects/{project}/conversations/{session}',
    about: 'The messages of a conversation; with `around`, only those near one message, `reach` on each side.',
    scope: 'read',
    params: { project: PROJECT_KEY, session: SESSION_PARAM },
    query: QUERIES.messages,
    answer: ANSWERS.messages,
    run: async ({ transaction, params, query }) => {
      const { around } = query;
      const sides = Number(query['reach'] ?? NEIGHBOURS);
      const found = await messagesForTeam(transaction, params['project'] ?? '', params['session'] ?? '', {
        ...(around !== undefined && { around }),
        ...{ before: sides, after: sides },
      });
      if (!found.ok) return found;
      const { conversation, messages, earlier, later } = found.value;
      const texts = messages.map(({ id, role, at, speaker, text }) => ({ id, role, ...(at && { at }), ...(speaker && { speaker }), text }));
      return ok({ conversation: conversationAnswer(conversation), messages: texts, earlier, later });
    },
  },
  {
    method: 'delete',
    path: '/v1/projects/{project}/conversations/{session}',
    about: 'Erases a conversation. Authors erase their own, admins any.',
    scope: 'write',
    params: { project: PROJECT_KEY, session: SESSION_PARAM },
    answer: ANSWERS.nothing,
    run: async ({ transaction, caller, params }) => {
      const removed = await removeConversation(transaction, caller, params['project'] ?? '', params['session'] ?? '');
      return removed.ok ? ok({ ok: true as const }) : removed;
    },
  },
];
