import * as z from 'zod/mini';
import { editForTeam, type TeamEditRequest, versionsNamed } from '../../app/team/record-versions.ts';
import { ok } from '../../core/result.ts';
import type { ApiOperation } from './operation.ts';
import { PROJECT_KEY, QUERIES, VERSION_ID } from './schemas.ts';

const IN_PROJECT = { project: PROJECT_KEY };

/** An upper bound; the record's own limits are checked later. */
const TEXT = z.string().check(z.regex(/^[^\0]{1,1000000}$/));
const EDIT = z.strictObject({ id: QUERIES.record.shape.id, text: TEXT, hash: VERSION_ID, propose: z.optional(z.boolean()) });

/** The answers of the operations below. */
export const RECORD_ANSWERS = {
  versions: z.strictObject({
    id: VERSION_ID,
    versions: z.array(
      z.strictObject({ hash: VERSION_ID, kind: z.enum(['text', 'deleted', 'forgotten']), author: z.string(), at: z.string(), has_text: z.boolean() }),
    ),
  }),
  edit: z.strictObject({ state: z.enum(['accepted', 'proposed']), proposal: z.optional(z.string()) }),
} as const;

export const RECORD_OPERATIONS: readonly ApiOperation[] = [
  {
    method: 'get',
    path: '/v1/projects/{project}/record/versions',
    about: 'The versions of a record or document, newest first: their authors, and when the server took them.',
    scope: 'read',
    params: IN_PROJECT,
    query: QUERIES.record,
    answer: RECORD_ANSWERS.versions,
    run: async ({ transaction, params, query, means }) => {
      const found = await versionsNamed(transaction, params['project'] ?? '', query['id'] ?? '', means);
      if (!found.ok) return found;
      return ok({ id: found.value.id, versions: found.value.versions.map(({ hasText, ...version }) => ({ ...version, has_text: hasText })) });
    },
  },
  {
    method: 'post',
    path: '/v1/projects/{project}/record',
    about:
      'Changes the text of a record or document. The change becomes a proposal if the project requires review and the caller is no reviewer, or with `propose`.',
    scope: 'write',
    params: IN_PROJECT,
    body: EDIT,
    answer: RECORD_ANSWERS.edit,
    run: ({ transaction, caller, params, body, means }) => {
      const { id, propose = false, ...rest } = body as z.infer<typeof EDIT>;
      const request: TeamEditRequest = { ...rest, project: params['project'] ?? '', name: id, propose };
      return editForTeam(transaction, caller, request, means);
    },
  },
];
