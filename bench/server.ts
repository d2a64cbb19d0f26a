import pg from 'pg';
import type { Postgres } from '../src/adapters/postgres/connect.ts';
import { PostgresRecallIndex } from '../src/adapters/postgres/search-index/recall-index.ts';
import type { Sql, SqlValue } from '../src/adapters/postgres/sql.ts';
import type { PostgresStore } from '../src/adapters/postgres/store.ts';
import { rankChunks } from '../src/recall/rank/rank-chunks.ts';
import { dataIn } from './measure.ts';
import { questions } from './search/questions.ts';
import { compared, ratioOf } from './server/compared.ts';
import { type BenchDatabase, withDatabase } from './server/database.ts';
import { load, type LoadedProject, type LoadSizes, recordText, storeOf } from './server/load.ts';
import { compareRetrieval } from './server/retrieval.ts';

/**
 * A team's memory on a PostgreSQL of its own: how many searches and writes a second with 1, 16 and 64 connections, how long each takes, and how that compares with
 * the same statements sent bare. `--long` loads 5,000 projects, 100,000 records and a million messages; `--messages N` and so on any number.
 * `--folder PATH` keeps the server there, and measures what an earlier run loaded. `--full-text` also asks SQL that ranks by itself.
 * `--retrieval` asks the questions of the data in `--data` on files and on PostgreSQL.
 */
const argument = (name: string): number | undefined =>
  process.argv.includes(`--${name}`) ? Number(process.argv[process.argv.indexOf(`--${name}`) + 1]) : undefined;
const FOLDER = process.argv.includes('--folder') ? process.argv[process.argv.indexOf('--folder') + 1] : undefined;
const LONG = process.argv.includes('--long');
const SIZES: LoadSizes = {
  organisations: argument('organisations') ?? (LONG ? 10 : 2),
  projects: argument('projects') ?? (LONG ? 5_000 : 50),
  records: argument('records') ?? (LONG ? 100_000 : 1_000),
  messages: argument('messages') ?? (LONG ? 1_000_000 : 20_000),
};
const FULL_TEXT_TOO = process.argv.includes('--full-text');
const CONNECTIONS = [1, 16, 64];
const SEARCHES = argument('asked') ?? 200;
const NOW = Date.UTC(2026, 0, 1);

interface Times {
  readonly perSecond: number;
  readonly median: number;
  readonly p99: number;
}

/** Runs each task once, so many at a time. */
async function measured(tasks: readonly (() => Promise<void>)[], atOnce: number): Promise<Times> {
  const waiting = [...tasks];
  const times: number[] = [];
  const started = performance.now();
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const began = performance.now();
      await next();
      times.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { perSecond: tasks.length / ((performance.now() - started) / 1_000), median: at(0.5), p99: at(0.99) };
}

interface Sent {
  readonly template: TemplateStringsArray;
  readonly values: readonly SqlValue[];
}

/** Notes each statement on its way. */
const noting =
  (sql: Sql, into: Sent[]): Sql =>
  (template, ...values) => {
    into.push({ template, values });
    return sql(template, ...values);
  };

async function searchIn(postgres: Postgres, { org }: LoadedProject, project: number | undefined, text: string, sent?: Sent[]): Promise<number> {
  return postgres.asOrganisation(org, async (sql) => {
    const index = new PostgresRecallIndex(sent ? noting(sql, sent) : sql, { org, ...(project !== undefined && { project }) });
    return (await rankChunks([{ index }], { text, limit: 10, now: NOW })).hits.length;
  });
}

const line = (what: string, { perSecond, median, p99 }: Times): void =>
  console.log(`  ${what.padEnd(46)} ${perSecond.toFixed(0).padStart(6)}/s  median ${median.toFixed(1).padStart(7)} ms  p99 ${p99.toFixed(1).padStart(7)} ms`);

/** Statements without transaction, policies and ranking, with the same names, as a superuser. */
async function bareClient(url: string): Promise<{ readonly run: (sent: readonly Sent[]) => Promise<void>; readonly end: () => Promise<void> }> {
  const client = new pg.Client({ connectionString: url, options: '-c search_path=holdfast -c enable_seqscan=off -c enable_bitmapscan=off' });
  await client.connect();
  const texts = new Map<TemplateStringsArray, { readonly name: string; readonly text: string }>();
  const statementOf = (template: TemplateStringsArray): { readonly name: string; readonly text: string } => {
    const known = texts.get(template) ?? { name: `b${texts.size}`, text: template.reduce((text, part, at) => (at === 0 ? part : `${text}$${at}${part}`), '') };
    texts.set(template, known);
    return known;
  };
  return {
    run: async (sent) => {
      for (const { template, values } of sent) await client.query({ ...statementOf(template), values: [...values] });
    },
    end: () => client.end(),
  };
}

/** The words of a question as a query of PostgreSQL's own full-text search, for any of them: no policies, no misspelt words, no neighbours, no word order. */
const FULL_TEXT = `
  select t.chunk, ts_rank(t.words, q.query) as rank from bench_text t,
    (select string_agg(quote_literal(word), ' | ')::tsquery as query from unnest(tsvector_to_array(to_tsvector('english', $3))) word) q
  where t.org = $1 and ($2::integer is null or t.project = $2) and t.words @@ q.query order by rank desc limit 10`;

/** Fills a table with what PostgreSQL's own search needs, once. */
async function fullTextTable(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, options: '-c search_path=holdfast -c maintenance_work_mem=512MB' });
  await client.connect();
  const { rows } = await client.query<{ made: boolean }>("select to_regclass('holdfast.bench_text') is not null as made");
  if (!rows[0]?.made) {
    await client.query(`create unlogged table bench_text as select c.org, u.project, c.chunk, to_tsvector('english', c.content) as words
      from chunks c join units u on u.org = c.org and u.unit = c.chunk >> 31`);
    await client.query('create index on bench_text using gin (words); create index on bench_text (org, project); analyze bench_text');
  }
  await client.end();
}

async function searches({ url, postgres, postmaster }: BenchDatabase, projects: readonly LoadedProject[], whole: boolean): Promise<void> {
  const [largest] = projects;
  const projectFor = (nth: number): LoadedProject => (nth % 4 === 0 ? largest : projects[(nth * 7) % projects.length]) as LoadedProject;
  const queries = questions(projects, SEARCHES).map(({ text }, nth) => ({ ...projectFor(nth), text }));
  const work = queries.map((one) => (sent?: Sent[]) => searchIn(postgres, one, whole ? undefined : one.project, one.text, sent));
  const sent: Sent[][] = [];
  for (const search of work) {
    const statements: Sent[] = [];
    await search(statements);
    sent.push(statements);
  }
  console.log(
    `\nsearches, ${whole ? 'of an organisation' : 'of a project, a quarter of them of the largest'} (${(sent.flat().length / sent.length).toFixed(1)} statements each)`,
  );
  const client = await bareClient(url);
  const own = new pg.Client({ connectionString: url, options: '-c search_path=holdfast' });
  await own.connect();
  const fullText = ({ org, project, text }: (typeof queries)[number]) =>
    own.query({ name: 'full-text', text: FULL_TEXT, values: [org, whole ? null : project, text] });
  const replay = (nth: number): Promise<void> =>
    postgres.asOrganisation(queries[nth]?.org ?? 1, async (sql) => {
      for (const { template, values } of sent[nth] ?? []) await sql(template, ...values);
    });
  const [searched, asOrganisation, bare] = await compared(
    [
      { name: 'a search', run: async (nth) => work[nth]?.() },
      { name: 'its statements as an organisation', run: replay },
      { name: 'its statements bare', run: (nth) => client.run(sent[nth] ?? []) },
    ],
    work.length,
    postmaster,
  );
  // By itself: it reads so much that what the others need would leave the server's memory.
  const rankingSql = { name: 'SQL that ranks: tsvector, GIN and ts_rank, bare', run: (nth: number) => fullText(queries[nth] as (typeof queries)[number]) };
  const [ranking] = FULL_TEXT_TOO ? await compared([rankingSql], work.length, postmaster) : [];
  await Promise.all([client.end(), own.end()]);
  console.log(`  (a) transaction and row-level security, against the bare statements: ${ratioOf(asOrganisation, bare)}`);
  console.log(`  (b) the whole search with its ranking, against the bare statements: ${ratioOf(searched, bare)}`);
  if (FULL_TEXT_TOO) console.log(`  (c) the whole search, against SQL that ranks: ${ratioOf(searched, ranking)}`);
  for (const connections of CONNECTIONS)
    line(
      `${connections} connection${connections > 1 ? 's' : ''}`,
      await measured(
        work.map((search) => async () => void (await search())),
        connections,
      ),
    );
}

async function writes({ url, postgres, postmaster }: BenchDatabase, projects: readonly LoadedProject[]): Promise<void> {
  console.log('\nwrites of one record, each committed');
  // A server with a named folder still has those of earlier runs.
  const started = Date.now();
  const texts = Array.from({ length: 200 }, (_, nth) => recordText('new', nth));
  let count = 0;
  const save = (store: PostgresStore, nth: number): Promise<unknown> => {
    const [path, text] = [`decisions/new-${started}-${++count}.md`, texts[nth % texts.length] ?? ''];
    return store.write('bench', (session) => session.apply({ root: 'shared', path, text, op: 'create' }));
  };
  const client = new pg.Client({ connectionString: url, options: '-c search_path=holdfast -c enable_seqscan=off -c enable_bitmapscan=off' });
  await client.connect();
  const [one, two] = projects as [LoadedProject, LoadedProject];
  const bareSave = async (nth: number): Promise<void> => {
    const [path, place] = [`bare-${started}-${++count}`, [two.org, two.project]];
    await client.query('begin');
    await client.query('select seq from projects where org = $1 and project = $2 for no key update', place);
    await client.query("insert into files values ($1, $2, 'shared', $3, $4::bytea, md5($4::bytea), 1)", [...place, path, Buffer.from(texts[nth] ?? '')]);
    await client.query(
      "insert into journal select $1, $2, coalesce(max(seq), 0) + 1, nextval('journal_positions'), 'shared', $3, '{}' from journal where org = $1 and project = $2",
      [...place, path],
    );
    await client.query('update projects set seq = seq + 1 where org = $1 and project = $2', place);
    await client.query('commit');
  };
  const store = storeOf(postgres, one);
  const [saved, bare] = await compared(
    [
      { name: 'a save', run: (nth) => save(store, nth) },
      { name: 'a file, its journal entry and the lock, bare', run: bareSave },
    ],
    texts.length,
    postmaster,
  );
  await client.end();
  console.log(`  ratio to bare statements: ${ratioOf(saved, bare)}`);
  for (const connections of CONNECTIONS) {
    const stores = projects.slice(0, connections).map((project) => storeOf(postgres, project));
    const tasks = Array.from({ length: 200 + connections * 10 }, (_, nth) => async () => void (await save(stores[nth % stores.length] ?? store, nth)));
    line(`${connections} connection${connections > 1 ? 's' : ''}, ${stores.length} project${stores.length > 1 ? 's' : ''}`, await measured(tasks, connections));
  }
}

async function sizes(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('vacuum analyze');
  const { rows } = await client.query<{ name: string; mb: string }>(
    "select relname as name, round(pg_total_relation_size(c.oid) / 1e6, 1) as mb from pg_class c join pg_namespace n on n.oid = relnamespace where nspname = 'holdfast' and relkind = 'r' order by pg_total_relation_size(c.oid) desc limit 8",
  );
  console.log(`on disk: ${rows.map(({ name, mb }) => `${name} ${mb} MB`).join(', ')}`);
  await client.end();
}

void withDatabase(Math.max(...CONNECTIONS), FOLDER, async (database) => {
  const { url, postgres } = database;
  if (process.argv.includes('--retrieval')) return compareRetrieval(postgres, dataIn(process.argv));
  const projects = await load(postgres, SIZES, FOLDER);
  await sizes(url);
  if (FULL_TEXT_TOO) await fullTextTable(url);
  await searches(database, projects, false);
  await searches(database, projects, true);
  await writes(database, projects);
});
