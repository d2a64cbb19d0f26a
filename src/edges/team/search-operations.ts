import { itemNamed, teamItems, searchTeam, type TeamSearchRequest } from '../../app/team/search.ts';
import { epochOf, utcSeconds } from '../../core/instant.ts';
import type { TeamItem } from '../../core/ports/team/search.ts';
import { ok } from '../../core/result.ts';
import type { ApiOperation } from './operation.ts';
import { ANSWERS, PROJECT_KEY, QUERIES } from './schemas.ts';

const LIMIT = 10;
const PAGE = 50;

/** An item as the API shows it. */
const itemAnswer = ({ type, name, category, title, status, trust, path, files, startedAt, endedAt, supersededBy }: TeamItem) => ({
  kind: type,
  id: category === undefined ? name : `${category}/${name}`,
  ...{ title, status, trust, path, files },
  ...(category !== undefined && { category }),
  ...(startedAt !== undefined && { created_at: utcSeconds(startedAt) }),
  ...(endedAt !== undefined && { updated_at: utcSeconds(endedAt) }),
  ...(supersededBy !== undefined && { superseded_by: supersededBy }),
});

export const SEARCH_OPERATIONS: readonly ApiOperation[] = [
  {
    method: 'get',
    path: '/v1/search',
    about: 'Records, documents and messages in one ranked list, of one project or of the whole organisation.',
    scope: 'read',
    query: QUERIES.search,
    answer: ANSWERS.search,
    run: async ({ transaction, query, means }) => {
      const { limit, retired, ...filters } = query;
      const request = { ...filters, limit: Number(limit ?? LIMIT), includeRetired: retired === 'true' } as TeamSearchRequest;
      const hits = await searchTeam(transaction, request, means);
      return hits.ok ? ok({ hits: hits.value }) : hits;
    },
  },
  {
    method: 'get',
    path: '/v1/projects/{project}/records',
    about:
      'Team records and documents of a project without their texts, latest first. `before` lists those from before a time, `next` of a page lists the page after it.',
    scope: 'read',
    params: { project: PROJECT_KEY },
    query: QUERIES.records,
    answer: ANSWERS.records,
    run: async ({ transaction, params, query }) => {
      const [before, type] = [epochOf(query['before']), query['kind'] as TeamItem['type'] | undefined];
      const [endedAt, lastId] = query['next']?.split('.') ?? [];
      const limit = Number(query['limit'] ?? PAGE);
      const page = {
        limit,
        ...(before !== undefined && { before }),
        ...(lastId !== undefined && { behind: { endedAt: Number(endedAt), id: lastId } }),
        ...(type !== undefined && { type }),
      };
      const items = await teamItems(transaction, params['project'] ?? '', page);
      if (!items.ok) return items;
      const last = items.value.length < limit ? undefined : items.value.at(-1);
      return ok({ records: items.value.map(itemAnswer), ...(last?.endedAt !== undefined && { next: `${last.endedAt}.${last.id}` }) });
    },
  },
  {
    method: 'get',
    path: '/v1/projects/{project}/record',
    about: 'A record by its id, such as `decision/use-sqlite`, or a document by its name, with its text.',
    scope: 'read',
    params: { project: PROJECT_KEY },
    query: QUERIES.record,
    answer: ANSWERS.record,
    run: async ({ transaction, params, query, means }) => {
      const item = await itemNamed(transaction, params['project'] ?? '', query['id'] ?? '', means);
      return item.ok ? ok({ ...itemAnswer(item.value), text: item.value.text, hash: item.value.hash }) : item;
    },
  },
];
