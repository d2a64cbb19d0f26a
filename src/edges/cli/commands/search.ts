import { search as find, type Hit } from '../../../app/search/search.ts';
import { ok, refuse } from '../../../core/result.ts';
import type { ItemFilter } from '../../../core/ports/index.ts';
import { categoryNamed } from '../category.ts';
import type { Arguments, Cli, Command, OpenMemory, Surroundings } from '../command.ts';
import { inert, inertJson } from '../paint.ts';
import { instantFrom } from '../instant.ts';

const LIMIT = 10;

export const search: Command = {
  name: 'search',
  about: 'Finds records and documents by what they say. --project all crosses projects.',
  positionals: 'QUERY',
  crosses: true,
  options: [
    { name: 'limit', value: 'N', about: `at most so many hits (${LIMIT})` },
    { name: 'category', value: 'C', about: 'only this category' },
    { name: 'kind', value: 'K', choices: ['record', 'document', 'all'], about: 'only records or only documents' },
    { name: 'since', value: 'T', about: 'only what changed since: 2026-05-01, 7d, 12h' },
    { name: 'until', value: 'T', about: 'only what changed before' },
    { name: 'include-retired', about: 'retired and archived records too' },
    { name: 'user', about: 'in your own memory' },
    { name: 'batch', value: 'FILE', about: 'one query a line as {"query", "project"?}; prints one line of hits each' },
  ],
  examples: [
    ['holdfast search "why sqlite"', 'the best ten hits of this project'],
    ['holdfast search auth --category decision --since 30d --json', 'for scripts'],
    ['holdfast search "rate limit" --project all', 'in every project'],
  ],
  run: async (cli, args) => {
    const filter = filterOf(cli, args);
    if (!filter.ok) return filter;
    const limit = args.number('limit', { min: 1, max: 1_000 });
    if (!limit.ok) return limit;
    const includeRetired = args.flag('include-retired');
    const opened = new Map<string | undefined, readonly OpenMemory[]>();
    const ask = async (query: string, project?: string): Promise<readonly Hit[]> => {
      const memories = opened.get(project) ?? (await memoriesOf(cli, args, project));
      opened.set(project, memories);
      const hits: Hit[] = [];
      for (const { memory } of memories) hits.push(...(await find(memory, { query, limit: limit.value ?? LIMIT, filter: filter.value, includeRetired })));
      return hits.toSorted((a, b) => b.score - a.score).slice(0, limit.value ?? LIMIT);
    };
    const batch = args.text('batch');
    if (batch !== undefined) return runBatch(cli, batch, ask);
    const query = args.positionals.join(' ').trim();
    if (query === '') return refuse('USAGE_ERROR', 'search for what?', { hint: 'holdfast search --help' });
    const hits = await ask(query);
    return ok({ json: { query, hits }, lines: hits.length === 0 ? ['nothing found'] : hits.flatMap((hit) => lines(hit, cli)) });
  },
};

/** The memories to ask: the project's, or every project's, or the user's own; a row of a batch may name another project. */
async function memoriesOf(cli: Surroundings, args: Arguments, project: string | undefined): Promise<readonly OpenMemory[]> {
  const there = project === undefined ? cli : cli.elsewhere(project);
  if (there.crossesProjects) return there.openAll();
  return [await there.open(args.flag('user') && project === undefined ? 'user' : 'project')];
}

const lines = (hit: Hit, { paint, crossesProjects }: Cli): string[] => [
  `${paint.bold(inert(hit.id))}  ${inert(hit.title)}${hit.status === 'active' ? '' : paint.yellow(` (${hit.status})`)}${crossesProjects ? paint.dim(`  ${hit.project}`) : ''}`,
  `  ${paint.dim(inert(hit.snippet))}`,
];

function filterOf(cli: Cli, args: Arguments) {
  const word = args.text('category');
  const category = word === undefined ? ok(undefined) : categoryNamed(word);
  if (!category.ok) return category;
  const kind = args.text('kind');
  const filter: { -readonly [K in keyof ItemFilter]: ItemFilter[K] } = { ...(category.value && { category: category.value }) };
  if (kind === 'record' || kind === 'document') filter.kind = kind;
  for (const edge of ['since', 'until'] as const) {
    const given = args.text(edge);
    if (given === undefined) continue;
    const instant = instantFrom(given, cli.now());
    if (!instant.ok) return instant;
    filter[edge] = instant.value;
  }
  return ok(filter as ItemFilter);
}

async function runBatch(cli: Cli, file: string, ask: (query: string, project?: string) => Promise<readonly Hit[]>) {
  const read = await cli.readInput(file);
  if (!read.ok) return read;
  const rows: unknown[] = [];
  for (const [number, line] of read.value.split('\n').entries()) {
    if (line.trim() === '') continue;
    let row: { readonly query?: unknown; readonly project?: unknown } | null;
    try {
      row = JSON.parse(line) as typeof row;
    } catch (cause) {
      return refuse('INPUT_ERROR', `line ${number + 1} of ${file} is not JSON: ${(cause as Error).message}`);
    }
    if (typeof row?.query !== 'string')
      return refuse('INPUT_ERROR', `line ${number + 1} of ${file} has no "query"`, { hint: 'a line is {"query": …, "project"?: …}' });
    rows.push({ ...row, hits: await ask(row.query, typeof row.project === 'string' ? row.project : undefined) });
  }
  return ok({ json: rows, stream: true, lines: rows.map(inertJson) });
}
