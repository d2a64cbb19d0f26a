import fs from 'node:fs';
import { inEpisodeBatch } from '../../src/adapters/postgres/search-index/batches.ts';
import { createOrganisation, createProject, organisationNamed } from '../../src/adapters/postgres/organisations.ts';
import type { Postgres } from '../../src/adapters/postgres/connect.ts';
import { PostgresStore } from '../../src/adapters/postgres/store.ts';
import { md5 } from '../../src/adapters/process/environment.ts';
import { transactionKeeper } from '../../src/app/episodes/batch-transactions.ts';
import type { EpisodePart } from '../../src/core/ports/episodes.ts';
import { SESSION, sessionOf } from '../search/corpus.ts';

export interface LoadSizes {
  readonly organisations: number;
  readonly projects: number;
  readonly records: number;
  readonly messages: number;
}

export interface LoadedProject {
  readonly org: number;
  readonly project: number;
  readonly name: string;
  readonly messages: number;
}

const AT_ONCE = 8;
/** Sessions that come in one transaction. */
const SESSIONS = 20;

export const storeOf = (postgres: Postgres, { org, project, name }: LoadedProject): PostgresStore =>
  new PostgresStore({ postgres, org, project, roots: { shared: `/${org}/${name}` }, md5, now: Date.now, lockMs: 60_000 });

/** Records that are made of the words of one session. */
const RECORDS_OF_SESSION = 8;
let lastMade = { name: '', session: sessionOf('', 0) };

/** A record of usual length. */
export function recordText(name: string, nth: number): string {
  const of = `${name} records ${Math.floor(nth / RECORDS_OF_SESSION)}`;
  if (lastMade.name !== of) lastMade = { name: of, session: sessionOf(of, 0) };
  const first = (nth % RECORDS_OF_SESSION) * 6;
  const words = lastMade.session.messages.slice(first, first + 6).flatMap(({ telling }) => telling);
  return `---\nid: record-${nth}\ncategory: decision\ntitle: ${words.slice(0, 7).join(' ')}\n---\n\n${words.slice(7, 160).join(' ')}\n`;
}

function partOf(name: string, nth: number): EpisodePart {
  const { id, messages } = sessionOf(name, nth);
  const started = Date.UTC(2025, 0, 1) + nth * 3_600_000;
  const at = (place: number): string => new Date(started + place * 30_000).toISOString();
  return {
    facts: { sessionId: id, client: 'claude-code', project: `/work/${name}`, startedAt: at(0), endedAt: at(SESSION) },
    source: `${id}.jsonl`,
    entries: messages.map(({ role, text }, place) => ({ id: `${id}-${place}`, sessionId: id, role, at: at(place), text })),
  };
}

async function inParallel<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const waiting = [...all];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await work(next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** How many sessions and files a project has: what an interrupted load left. */
async function countsOf(postgres: Postgres, orgs: readonly number[]): Promise<(place: LoadedProject) => { readonly sessions: number; readonly files: number }> {
  const counts = new Map<string, { sessions: number; files: number }>();
  for (const org of orgs) {
    const rows = await postgres.asOrganisation(
      org,
      (sql) => sql<{ project: number; sessions: number; files: number }>`
        select p.project, (select count(*)::integer from units u where u.org = p.org and u.project = p.project) as sessions,
          (select count(*)::integer from files f where f.org = p.org and f.project = p.project) as files from projects p where p.org = ${org}`,
    );
    for (const { project, ...rest } of rows) counts.set(`${org} ${project}`, rest);
  }
  return ({ org, project }) => counts.get(`${org} ${project}`) ?? { sessions: 0, files: 0 };
}

/** One project has a tenth of all data, the others share the rest, because teams differ. Skips data that a named folder already holds. */
export async function load(postgres: Postgres, sizes: LoadSizes, folder: string | undefined): Promise<readonly LoadedProject[]> {
  const { organisations, projects, records, messages } = sizes;
  const markerFile = folder === undefined ? undefined : `${folder}.loaded`;
  const isLoaded = markerFile !== undefined && fs.existsSync(markerFile) && fs.readFileSync(markerFile, 'utf8') === JSON.stringify(sizes);
  const orgs = [];
  for (let nth = 0; nth < organisations; nth++)
    orgs.push((await organisationNamed(postgres, `org-${nth}`)) ?? (await createOrganisation(postgres, `org-${nth}`)));
  const shareOf = (all: number, nth: number): number => (nth === 0 ? Math.floor(all / 10) : Math.ceil((all * 0.9) / Math.max(1, projects - 1)));
  const made: LoadedProject[] = [];
  for (let nth = 0; nth < projects; nth++) {
    const org = orgs[nth % orgs.length] ?? 1;
    made.push({ org, name: `p${nth}`, project: await createProject(postgres, org, `p${nth}`), messages: shareOf(messages, nth) });
  }
  if (isLoaded) return made;
  const before = await countsOf(postgres, orgs);
  const started = performance.now();
  let [stored, written] = [0, 0];
  await inParallel(made, async (project) => {
    if (before(project).sessions * SESSION >= project.messages) return;
    const keeper = transactionKeeper((batch, work) => inEpisodeBatch(postgres, project, batch, work), md5);
    for (let first = 0; first * SESSION < project.messages; first += SESSIONS) {
      const count = Math.min(SESSIONS, Math.ceil(project.messages / SESSION) - first);
      const parts = Array.from({ length: count }, (_, at) => partOf(project.name, first + at));
      for (const { messages: taken } of await keeper.take([{ key: project.name, archiveBytes: 1, parts }])) stored += taken;
    }
  });
  const between = performance.now();
  await inParallel([...made.entries()], async ([nth, project]) => {
    const store = storeOf(postgres, project);
    const count = shareOf(records, nth);
    // Writes are atomic, so missing records begin at a write.
    for (let first = before(project).files; first < count; first += 50)
      await store.write('bench', async (session) => {
        for (let at = first; at < Math.min(first + 50, count); at++) {
          await session.apply({
            root: 'shared',
            path: `decisions/record-${at}.md`,
            text: recordText(project.name, at),
            op: 'create',
            id: `decision/record-${at}`,
          });
          written += 1;
        }
      });
  });
  const rate = (count: number, ms: number): string => `${Math.round(count / (ms / 1_000))} a second`;
  console.log(
    `loaded ${projects} projects, ${stored} messages (${rate(stored, between - started)}), ${written} records (${rate(written, performance.now() - between)})`,
  );
  if (markerFile !== undefined) fs.writeFileSync(markerFile, JSON.stringify(sizes));
  return made;
}
