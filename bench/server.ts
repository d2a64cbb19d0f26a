import pg from 'pg';
import type { Postgres } from '../src/adapters/postgres/connect.ts';
import { PostgresRecallIndex } from '../src/adapters/postgres/episodes/recall-index.ts';
import type { Sql, SqlValue } from '../src/adapters/postgres/sql.ts';
import { rankChunks } from '../src/recall/rank/rank-chunks.ts';
import { dataIn } from './measure.ts';
import { questions } from './search/questions.ts';
import { withDatabase } from './server/database.ts';
import { load, type LoadedProject, type LoadSizes, recordText, storeOf } from './server/load.ts';
import { compareRetrieval } from './server/retrieval.ts';

/**
 * A team's memory on a PostgreSQL of its own: how many searches and writes a second with 1, 16 and 64 connections, how long each takes, and how that compares with
 * the same statements sent bare. `--long` loads 5,000 projects, 100,000 records and a million messages; `--messages N` and so on any number.
 * `--retrieval` asks the questions of the data in `--data` on files and on PostgreSQL.
 */
const argument = (name: string): number | undefined =>
  process.argv.includes(`--${name}`) ? Number(process.argv[process.argv.indexOf(`--${name}`) + 1]) : undefined;
const LONG = process.argv.includes('--long');
const SIZES: LoadSizes = {
  organisations: argument('organisations') ?? (LONG ? 10 : 2),
  projects: argument('projects') ?? (LONG ? 5_000 : 50),
  records: argument('records') ?? (LONG ? 100_000 : 1_000),
  messages: argument('messages') ?? (LONG ? 1_000_000 : 20_000),
};
const CONNECTIONS = [1, 16, 64];
const ASKED = argument('asked') ?? 200;
const NOW = Date.UTC(2026, 0, 1);

interface Times {
  readonly perSecond: number;
  readonly median: number;
  readonly p99: number;
}

/** Does each piece of work once, so many at a time. */
async function measured(pieces: readonly (() => Promise<void>)[], atOnce: number): Promise<Times> {
  const waiting = [...pieces];
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
  return { perSecond: pieces.length / ((performance.now() - started) / 1_000), median: at(0.5), p99: at(0.99) };
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

/** The same statements without transaction, policies and ranking, named as ours are, as a superuser. */
async function bare(url: string, all: readonly (readonly Sent[])[]): Promise<Times> {
  const client = new pg.Client({ connectionString: url, options: '-c search_path=holdfast -c enable_seqscan=off -c enable_bitmapscan=off' });
  await client.connect();
  const texts = new Map<TemplateStringsArray, { readonly name: string; readonly text: string }>();
  const statementOf = (template: TemplateStringsArray): { readonly name: string; readonly text: string } => {
    const known = texts.get(template) ?? { name: `b${texts.size}`, text: template.reduce((text, part, at) => (at === 0 ? part : `${text}$${at}${part}`), '') };
    texts.set(template, known);
    return known;
  };
  const run = (sent: readonly Sent[]) => async (): Promise<void> => {
    for (const { template, values } of sent) await client.query({ ...statementOf(template), values: [...values] });
  };
  await measured(all.slice(0, 20).map(run), 1);
  const times = await measured(all.map(run), 1);
  await client.end();
  return times;
}

async function searches(url: string, postgres: Postgres, projects: readonly LoadedProject[], whole: boolean): Promise<void> {
  const [largest] = projects;
  const projectFor = (nth: number): LoadedProject => (nth % 4 === 0 ? largest : projects[(nth * 7) % projects.length]) as LoadedProject;
  const work = questions(projects, ASKED).map(({ text }, nth) => {
    const one = projectFor(nth);
    return (sent?: Sent[]) => searchIn(postgres, one, whole ? undefined : one.project, text, sent);
  });
  const sent: Sent[][] = [];
  for (const search of work) {
    const statements: Sent[] = [];
    await search(statements);
    sent.push(statements);
  }
  console.log(
    `\nsearches, ${whole ? 'of an organisation' : 'of a project, a quarter of them of the largest'} (${(sent.flat().length / sent.length).toFixed(1)} statements each)`,
  );
  const single = await measured(
    work.map((search) => async () => void (await search())),
    1,
  );
  line('1 connection', single);
  const replay = (statements: readonly Sent[], nth: number) => (): Promise<void> =>
    postgres.asOrganisation(projectFor(nth).org, async (sql) => {
      for (const { template, values } of statements) await sql(template, ...values);
    });
  const replayed = await measured(sent.map(replay), 1);
  line('its statements as an organisation', replayed);
  const raw = await bare(url, sent);
  line('its statements bare', raw);
  console.log(
    `  ratio to bare statements: as an organisation ${(replayed.median / raw.median).toFixed(2)}, with ranking ${(single.median / raw.median).toFixed(2)}`,
  );
  for (const connections of CONNECTIONS.slice(1))
    line(
      `${connections} connections`,
      await measured(
        work.map((search) => async () => void (await search())),
        connections,
      ),
    );
}

async function writes(url: string, postgres: Postgres, projects: readonly LoadedProject[]): Promise<void> {
  console.log('\nwrites of one record, each committed');
  let count = 0;
  for (const connections of CONNECTIONS) {
    const stores = projects.slice(0, Math.max(connections, 1)).map((project) => storeOf(postgres, project));
    const pieces = Array.from({ length: 200 + connections * 10 }, (_, nth) => async () => {
      const store = stores[nth % stores.length];
      const path = `decisions/new-${++count}.md`;
      await store?.write('bench', (session) => session.apply({ root: 'shared', path, text: recordText('new', nth), op: 'create' }));
    });
    line(
      `${connections} connection${connections > 1 ? 's' : ''}, ${stores.length} project${stores.length > 1 ? 's' : ''}`,
      await measured(pieces, connections),
    );
  }
  const client = new pg.Client({ connectionString: url, options: '-c search_path=holdfast -c enable_seqscan=off -c enable_bitmapscan=off' });
  await client.connect();
  const [one] = projects as [LoadedProject];
  const pieces = Array.from({ length: 200 }, (_, nth) => async () => {
    const text = Buffer.from(recordText('bare', nth));
    await client.query('begin');
    await client.query('select seq from projects where org = $1 and project = $2 for no key update', [one.org, one.project]);
    await client.query("insert into files values ($1, $2, 'shared', $3, $4::bytea, md5($4::bytea), 1)", [one.org, one.project, `bare-${nth}`, text]);
    await client.query("insert into journal values ($1, $2, $3, nextval('journal_positions'), 'shared', $4, '{}')", [
      one.org,
      one.project,
      1_000_000 + nth,
      `bare-${nth}`,
    ]);
    await client.query('update projects set seq = seq where org = $1 and project = $2', [one.org, one.project]);
    await client.query('commit');
  });
  line('a file, its journal entry and the lock, bare', await measured(pieces, 1));
  await client.end();
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

void withDatabase(Math.max(...CONNECTIONS), async ({ url, postgres }) => {
  if (process.argv.includes('--retrieval')) return compareRetrieval(postgres, dataIn(process.argv));
  const projects = await load(postgres, SIZES);
  await sizes(url);
  await searches(url, postgres, projects, false);
  await searches(url, postgres, projects, true);
  await writes(url, postgres, projects);
});
