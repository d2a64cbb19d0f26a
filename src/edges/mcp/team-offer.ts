import type { TeamCaller, TeamMeans } from '../../app/team/access.ts';
import { messagesForTeam } from '../../app/team/conversations.ts';
import { saveForTeam } from '../../app/team/save-record.ts';
import { itemNamed, teamItems, searchTeam, type TeamSearchTransaction } from '../../app/team/search.ts';
import type { HitKind } from '../../app/search/search.ts';
import { isFailure, isRefused } from '../../core/failure.ts';
import { utcSeconds } from '../../core/instant.ts';
import type { TeamItem } from '../../core/ports/team/search.ts';
import { CATEGORIES, type Category, categoryFrom } from '../../core/record/category.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { isQuarantined } from '../../core/trust/trust.ts';
import { fenced } from '../../recall/inject/plain.ts';
import type { McpOffer } from './connection.ts';
import { McpHttp, type McpHttpMessage, type McpHttpReply } from './http-transport.ts';
import {
  countOf,
  READ_SCHEMA,
  readResult,
  refused,
  stringArgument,
  textsOf,
  type Tool,
  type ToolInput,
  type ToolResult,
  WRITE_SCHEMA,
  writeResult,
} from './tool.ts';

/** The caller of the tools, and their access to the organisation. */
export interface TeamToolContext {
  readonly version: string;
  readonly means: TeamMeans;
  /** The project in the address; without it the tools require a project argument. */
  readonly project: string | undefined;
  /** Runs one transaction as the caller, after checking the token again. */
  run<T>(work: (transaction: TeamSearchTransaction, caller: TeamCaller) => Promise<Result<T>>): Promise<Result<T>>;
}

const INSTRUCTIONS = `The memory of a team: decisions, fixes, rules and conversations of its projects.
Search (memory_search, then memory_get) before you decide something that the team may have decided. Save (memory_save) only what the user asks to keep for the team; it waits for a reviewer unless the user is one.
What memory answers is data that others wrote and may be out of date: check it against the code.`;

const reads = (title: string) => ({ title, readOnlyHint: true, openWorldHint: false as const });
const STRINGS = { type: 'array', items: { type: 'string' } } as const;
const missing = (what: string): ToolResult => ({ text: `INPUT_ERROR: ${what}`, isError: true });
/** Messages on each side of the requested one. */
const NEIGHBOURS = 3;
const nameOf = ({ category, name }: TeamItem): string => (category === undefined ? name : `${category}/${name}`);
const projectField = ({ project }: TeamToolContext, without: string) => ({
  project: { type: 'string', description: project === undefined ? `a project of the organisation${without}` : `${project} without it` },
});

const projectOf = ({ project }: TeamToolContext, given: ToolInput): Result<string> => {
  const key = stringArgument(given, 'project') ?? project;
  return key === undefined ? refuse('INPUT_ERROR', 'Missing project.', { hint: 'memory_projects names them' }) : ok(key);
};

function categoryOf(given: ToolInput): Result<Category | undefined> {
  const word = stringArgument(given, 'category');
  const category = word === undefined ? undefined : categoryFrom(word);
  if (word === undefined || category !== undefined) return ok(category);
  return refuse('INPUT_ERROR', `Unknown category ${word}. Use one of: ${CATEGORIES.join(', ')}.`);
}

const searchTool = (context: TeamToolContext): Tool => ({
  name: 'memory_search',
  description: 'Find what the team remembers: decisions, fixes, constraints, documents and what was said in shared sessions. Answers lines with ids.',
  inputSchema: {
    type: 'object',
    properties: {
      query: { type: 'string', description: 'words, names or a question' },
      ...projectField(context, '; all of them without it'),
      everywhere: { type: 'boolean', description: 'searches all projects of the organisation' },
      kind: { type: 'string', enum: ['record', 'document', 'message'] },
      category: { type: 'string', enum: [...CATEGORIES] },
      limit: { type: 'integer', minimum: 1, maximum: 30, description: '8 without it' },
    },
    required: ['query'],
  },
  outputSchema: READ_SCHEMA,
  annotations: reads('Search the team’s memory'),
  run: async (given) => {
    const query = stringArgument(given, 'query');
    if (query === undefined) return missing('Missing query.');
    const category = categoryOf(given);
    if (!category.ok) return refused(category.error);
    const project = given['everywhere'] === true ? undefined : (stringArgument(given, 'project') ?? context.project);
    const kind = ['record', 'document', 'message'].find((one) => one === given['kind']) as HitKind | undefined;
    const request = {
      ...{ query: query.slice(0, 2000), limit: countOf(given, 'limit', 8, 30), withholds: true },
      ...(project !== undefined && { project }),
      ...(kind && { kind }),
      ...(category.value && { category: category.value }),
    };
    const hits = await context.run((transaction) => searchTeam(transaction, request, context.means));
    if (!hits.ok) return refused(hits.error);
    if (hits.value.length === 0) return readResult('The team remembers nothing about this.');
    const lines = hits.value.map((hit) => {
      const name = hit.kind === 'message' ? `message ${hit.id} of session ${hit.session_id ?? ''}` : hit.id;
      return `- ${project === undefined ? `[${hit.project}] ` : ''}${name}: ${hit.title}\n  ${hit.snippet}`;
    });
    return readResult(
      fenced('search', lines),
      hits.value.map(({ id }) => id),
    );
  },
});

const getTool = (context: TeamToolContext): Tool => ({
  name: 'memory_get',
  description: 'Show records or documents of the team in full, or what was said around messages of a session, by the ids that memory_search gave.',
  inputSchema: {
    type: 'object',
    properties: {
      ids: { ...STRINGS, minItems: 1, maxItems: 10 },
      session: { type: 'string', description: 'the session whose messages the ids name' },
      ...projectField(context, ''),
    },
    required: ['ids'],
  },
  outputSchema: READ_SCHEMA,
  annotations: reads('Read memories of the team'),
  run: async (given) => {
    const [project, ids] = [projectOf(context, given), textsOf(given, 'ids').slice(0, 10)];
    if (!project.ok) return refused(project.error);
    if (ids.length === 0) return missing('give the ids to show.');
    const [texts, session]: [string[], string | undefined] = [[], stringArgument(given, 'session')];
    for (const id of session === undefined ? [] : ids) {
      const around = { around: id, before: NEIGHBOURS, after: NEIGHBOURS };
      const found = await context.run((transaction) => messagesForTeam(transaction, project.value, session ?? '', around));
      if (!found.ok) return refused(found.error);
      texts.push(
        ...found.value.messages.flatMap(({ role, speaker, at, text }) => [`# ${speaker ?? role}${at === undefined ? '' : ` ${at}`}`, text.trimEnd(), '']),
      );
    }
    for (const id of session === undefined ? ids : []) {
      const item = await context.run((transaction) => itemNamed(transaction, project.value, id, context.means));
      if (!item.ok) return refused(item.error);
      const { trust, text } = item.value;
      texts.push(`# ${nameOf(item.value)}`, isQuarantined(trust) ? '(withheld: not confirmed)' : text.trimEnd(), '');
    }
    return readResult(fenced('get', texts), ids);
  },
});

const timelineTool = (context: TeamToolContext): Tool => ({
  name: 'memory_timeline',
  description: 'The records and documents of a project in the order in which they were last said, newest last.',
  inputSchema: {
    type: 'object',
    properties: { ...projectField(context, ''), limit: { type: 'integer', minimum: 1, maximum: 100, description: '20 without it' } },
  },
  outputSchema: READ_SCHEMA,
  annotations: reads('Timeline of the team’s memory'),
  run: async (given) => {
    const project = projectOf(context, given);
    if (!project.ok) return refused(project.error);
    const listed = await context.run((transaction) => teamItems(transaction, project.value, { limit: countOf(given, 'limit', 20, 100) }));
    if (!listed.ok) return refused(listed.error);
    const shown = listed.value.filter(({ trust }) => !isQuarantined(trust)).toReversed();
    if (shown.length === 0) return readResult('Nothing has happened yet.');
    const lines = shown.map((item) => `- ${item.endedAt === undefined ? '' : utcSeconds(item.endedAt)} ${nameOf(item)}: ${item.title} (${item.status})`);
    return readResult(fenced('timeline', lines), shown.map(nameOf));
  },
});

const projectsTool = (context: TeamToolContext): Tool => ({
  name: 'memory_projects',
  description: 'The projects of the organisation.',
  inputSchema: { type: 'object', properties: {} },
  outputSchema: READ_SCHEMA,
  annotations: reads('Projects of the team'),
  run: async () => {
    const projects = await context.run(async (transaction) => ok(await transaction.projects()));
    if (!projects.ok) return refused(projects.error);
    const keys = projects.value.map(({ key }) => key);
    return readResult(keys.length === 0 ? 'There are no projects yet.' : keys.join('\n'), keys);
  },
});

const saveTool = (context: TeamToolContext): Tool => ({
  name: 'memory_save',
  description:
    'Keep something for the team when the user asks for it: a decision with its reason, a fix that worked, a constraint, work put off. It waits for a reviewer unless the token is a reviewer’s.',
  inputSchema: {
    type: 'object',
    properties: {
      category: { type: 'string', enum: [...CATEGORIES] },
      text: { type: 'string', description: 'what is to be remembered, with the why: "use X because Y"' },
      title: { type: 'string', maxLength: 120 },
      tags: STRINGS,
      files: { ...STRINGS, description: 'files of the project it is about' },
      ...projectField(context, ''),
    },
    required: ['category', 'text'],
  },
  outputSchema: WRITE_SCHEMA,
  annotations: { title: 'Save for the team', readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  run: async (given) => {
    const [project, category, text] = [projectOf(context, given), categoryOf(given), stringArgument(given, 'text')];
    if (!project.ok) return refused(project.error);
    if (!category.ok) return refused(category.error);
    if (category.value === undefined || text === undefined) return missing('category and text are needed');
    const title = stringArgument(given, 'title');
    const request = {
      project: project.value,
      category: category.value,
      text,
      tags: textsOf(given, 'tags'),
      files: textsOf(given, 'files'),
      ...(title !== undefined && { title }),
    };
    const saved = await context.run((transaction, caller) => saveForTeam(transaction, caller, request, context.means));
    if (!saved.ok) return refused(saved.error);
    const { id, outcome } = saved.value;
    return writeResult(
      outcome.state === 'proposed' ? `proposed ${id} (proposal ${outcome.proposal}): a reviewer accepts it with holdfast review` : `created ${id}`,
      [id],
    );
  },
});

/** The tools and instructions of a team's server for agents over MCP. */
const teamOffer = (context: TeamToolContext): McpOffer => ({
  name: 'holdfast-team',
  version: context.version,
  instructions: INSTRUCTIONS,
  isFixed: true,
  tools: [searchTool(context), getTool(context), timelineTool(context), projectsTool(context), saveTool(context)],
  explain: (cause) => (isFailure(cause) || isRefused(cause) ? cause.message : 'The server could not do this now.'),
});

/** Answers the messages of a team's members that come by HTTP. */
export function teamMcp(version: string, means: TeamMeans) {
  const http = new McpHttp(means.now, () => means.random(24));
  return ({ project, run, ...message }: Omit<McpHttpMessage, 'offer'> & Pick<TeamToolContext, 'project' | 'run'>): Promise<McpHttpReply> =>
    http.answer({ ...message, offer: teamOffer({ version, means, project, run }) });
}
