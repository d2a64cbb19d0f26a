import { searchWith, type HitKind, type SearchRequest } from '../../../../app/search/search.ts';
import type { Hit } from '../../../../app/search/hit.ts';
import { ok, refuse, type Result } from '../../../../core/result.ts';
import { categoryNamed, withholds, WITH_QUARANTINED } from '../../record-options.ts';
import type { Arguments, Cli, Command, OpenMemory, CommandOutput, CommandContext } from '../../command.ts';
import { inert, inertJson } from '../../paint.ts';
import { shownTime, timeRangeOf } from '../../instant.ts';
import { isQuarantined, QUARANTINED } from '../../../../core/trust/trust.ts';

const LIMIT = 10;

export const searchCommand: Command = {
  name: 'search',
  about: 'Searches records, documents and messages; the best hits come first. --project all searches every project.',
  positionals: 'QUERY',
  crosses: true,
  options: [
    { name: 'limit', value: 'N', about: `maximum number of hits (default ${LIMIT})` },
    { name: 'category', value: 'C', about: 'only records of this category' },
    { name: 'kind', value: 'K', choices: ['record', 'document', 'message', 'all'], about: 'only hits of this kind' },
    { name: 'since', value: 'T', about: 'only newer hits: 2026-05-01, 7d, 12h' },
    { name: 'until', value: 'T', about: 'only older hits' },
    { name: 'file', value: 'F', many: true, about: 'a file you are working on; hits about it rank higher; repeatable' },
    { name: 'include-retired', about: 'include retired and archived records' },
    { name: 'user', about: 'search your user memory' },
    WITH_QUARANTINED,
    { name: 'explain', about: 'show the parts of each score; they sum to it' },
    {
      name: 'batch',
      value: 'FILE',
      about: 'read one query per line, as {"query", "project"?}, and print one line of hits for each; outside a project with a memory, search all projects',
    },
  ],
  examples: [
    ['holdfast search "why sqlite"', 'the best ten hits of this project'],
    ['holdfast search auth --category decision --since 30d --json', 'for scripts'],
    ['holdfast search "flaky login test last week" --kind message', 'search conversations'],
    ['holdfast search "rate limit" --project all --explain', 'in every project, with the parts of each score'],
  ],
  run: async (cli, args) => {
    const request = requestOf(cli, args);
    if (!request.ok) return request;
    const opened = new Map<string | undefined, readonly OpenMemory[]>();
    const warnings = new Set<string>();
    const ask = async (query: string, project?: string): Promise<readonly Hit[]> => {
      const memories = opened.get(project) ?? (await memoriesOf(cli, args, project));
      opened.set(project, memories);
      return searchWith(() => cli.ranking(), memories, { ...request.value, query, warn: (what) => void warnings.add(inert(what)) });
    };
    const batch = args.text('batch');
    if (batch !== undefined) {
      const rows = await rowsOf(cli, batch);
      if (!rows.ok) return rows;
      const namesNoProject = args.text('project') === undefined && !args.flag('user') && rows.value.every(({ project }) => project === undefined);
      const all = namesNoProject ? await allProjects(cli) : [];
      if (all.length > 0) opened.set(undefined, all);
      return ok({ ...(await answerBatch(rows.value, ask)), warnings: [...warnings] });
    }
    const query = args.positionals.join(' ').trim();
    if (query === '') return refuse('USAGE_ERROR', 'search needs a query.', { hint: 'holdfast search --help' });
    const hits = await ask(query);
    const places = args.flag('json') ? [] : (opened.get(undefined) ?? []);
    // Scripts get full ids, so they do not wait for short ones.
    const short = args.flag('json') ? undefined : (await import('../../../../app/read/resolve.ts')).shortName;
    const shown = short === undefined ? [] : hits.flatMap((hit) => lines(hit, cli, nameOf(hit, places, short)));
    return ok({ json: { query, hits }, lines: hits.length === 0 ? ['No hits.'] : shown, warnings: [...warnings] });
  },
};

/** The memories to search: the project's, every project's or the user's own. A row of a batch may name another project. */
async function memoriesOf(cli: CommandContext, args: Arguments, project: string | undefined): Promise<readonly OpenMemory[]> {
  const there = project === undefined ? cli : cli.elsewhere(project);
  if (there.crossesProjects) return there.openAll();
  return [await there.open(args.flag('user') && project === undefined ? 'user' : 'project')];
}

/** All projects, for a batch that names no project; empty if the current folder has a memory. */
async function allProjects(cli: CommandContext): Promise<readonly OpenMemory[]> {
  const known = await cli.elsewhere('all').openAll();
  return known.some(({ distance }) => distance === 0) ? [] : known;
}

const notesOf = ({ status, trust, replaced_by, replaces, weak }: Hit): string[] => [
  ...(weak === true ? ['weak'] : []),
  ...(isQuarantined(trust) ? [QUARANTINED] : []),
  ...(status === 'active' ? [] : [status]),
  ...(replaced_by === undefined ? [] : [`replaced by ${replaced_by}`]),
  ...(replaces === undefined ? [] : [`replaces ${replaces}`]),
];

/** A record by its short id; other hits by their id. */
function nameOf(hit: Hit, places: readonly OpenMemory[], short: (memory: OpenMemory['memory'], name: string) => string): string {
  const place = hit.kind === 'record' ? (places.find(({ memory }) => memory.key === hit.project) ?? places[0]) : undefined;
  return place ? `${short(place.memory, hit.id)}  ${hit.category ?? ''}` : hit.id;
}

/** Digits shown of a session's id; `messages --session` takes any beginning. */
const SESSION_DIGITS = 8;
/** A session's title may be a whole prompt, so it is shortened. */
const TITLE = 60;

/** A message is named by its session. */
const placeOf = (hit: Hit): string =>
  hit.kind === 'message' ? `session ${(hit.session_id ?? '').slice(0, SESSION_DIGITS)}${hit.at === null ? '' : `, ${shownTime(hit.at)}`}` : '';

const titleOf = ({ kind, title }: Hit): string =>
  kind === 'message' && title.length > TITLE ? `${title.slice(0, title.lastIndexOf(' ', TITLE)).replace(/[\s,;:.–—-]+$/, '')}…` : title;

function lines(hit: Hit, { paint, crossesProjects }: Cli, name: string): string[] {
  const notes = notesOf(hit);
  const about = [placeOf(hit), crossesProjects ? hit.project : ''].filter((word) => word !== '').join('  ');
  return [
    `${paint.bold(inert(name))}  ${inert(titleOf(hit))}${notes.length === 0 ? '' : paint.yellow(` (${inert(notes.join(', '))})`)}${about === '' ? '' : paint.dim(`  ${inert(about)}`)}`,
    `  ${paint.dim(inert(hit.snippet))}`,
    ...(hit.explain ? [`  ${paint.dim(`${hit.score} = ${hit.explain.map(({ signal, points }) => `${signal} ${points}`).join(' + ')}`)}`] : []),
  ];
}

function requestOf(cli: Cli, args: Arguments): Result<Omit<SearchRequest, 'query'>> {
  const word = args.text('category');
  const category = word === undefined ? ok(undefined) : categoryNamed(word);
  if (!category.ok) return category;
  const limit = args.number('limit', { min: 1, max: 1_000 });
  if (!limit.ok) return limit;
  const span = timeRangeOf(args, cli.now());
  if (!span.ok) return span;
  const files = args.texts('file');
  return ok({
    limit: limit.value ?? LIMIT,
    ...(files.length > 0 && { files }),
    kind: (args.text('kind') ?? 'all') as HitKind,
    includeRetired: args.flag('include-retired'),
    explain: args.flag('explain'),
    withholds: withholds(cli, args),
    ...span.value,
    ...(category.value && { category: category.value }),
  });
}

interface Row {
  readonly query: string;
  readonly project?: string;
  /** The parsed line; it is printed again with its hits. */
  readonly source: object;
}

async function rowsOf(cli: Cli, file: string): Promise<Result<readonly Row[]>> {
  const read = await cli.readInput(file);
  if (!read.ok) return read;
  const rows: Row[] = [];
  for (const [number, line] of read.value.split('\n').entries()) {
    if (line.trim() === '') continue;
    let row: { readonly query?: unknown; readonly project?: unknown } | null;
    try {
      row = JSON.parse(line) as typeof row;
    } catch (cause) {
      return refuse('INPUT_ERROR', `Line ${number + 1} of ${file} is not JSON: ${(cause as Error).message}`);
    }
    if (typeof row?.query !== 'string')
      return refuse('INPUT_ERROR', `Line ${number + 1} of ${file} has no "query".`, { hint: 'write each line as {"query": …, "project"?: …}' });
    rows.push({ query: row.query, source: row, ...(typeof row.project === 'string' && { project: row.project }) });
  }
  return ok(rows);
}

async function answerBatch(rows: readonly Row[], ask: (query: string, project?: string) => Promise<readonly Hit[]>): Promise<CommandOutput> {
  const answers: object[] = [];
  for (const { query, project, source } of rows) answers.push({ ...source, hits: await ask(query, project) });
  return { json: answers, stream: true, lines: answers.map(inertJson) };
}
