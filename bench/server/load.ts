import { inEpisodeBatch } from '../../src/adapters/postgres/episodes/batches.ts';
import { createOrganisation, createProject } from '../../src/adapters/postgres/organisations.ts';
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

/** A record of usual length. */
export function recordText(name: string, nth: number): string {
  const words = sessionOf(`${name} records`, nth).messages.flatMap(({ telling }) => telling);
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

/** One project has a tenth of everything, the others share the rest: teams are not alike. */
export async function load(postgres: Postgres, { organisations, projects, records, messages }: LoadSizes): Promise<readonly LoadedProject[]> {
  const orgs = [];
  for (let nth = 0; nth < organisations; nth++) orgs.push(await createOrganisation(postgres, `org-${nth}`));
  const shareOf = (all: number, nth: number): number => (nth === 0 ? Math.floor(all / 10) : Math.ceil((all * 0.9) / Math.max(1, projects - 1)));
  const made: LoadedProject[] = [];
  for (let nth = 0; nth < projects; nth++) {
    const org = orgs[nth % orgs.length] ?? 1;
    made.push({ org, name: `p${nth}`, project: await createProject(postgres, org, `p${nth}`), messages: shareOf(messages, nth) });
  }
  const started = performance.now();
  let kept = 0;
  await inParallel(made, async (project) => {
    const keeper = transactionKeeper((batch, work) => inEpisodeBatch(postgres, project, batch, work), md5);
    for (let first = 0; first * SESSION < project.messages; first += SESSIONS) {
      const count = Math.min(SESSIONS, Math.ceil(project.messages / SESSION) - first);
      const parts = Array.from({ length: count }, (_, at) => partOf(project.name, first + at));
      for (const { messages: taken } of await keeper.take([{ key: project.name, archiveBytes: 1, parts }])) kept += taken;
    }
  });
  const between = performance.now();
  await inParallel([...made.entries()], async ([nth, project]) => {
    const store = storeOf(postgres, project);
    const count = shareOf(records, nth);
    for (let first = 0; first < count; first += 50)
      await store.write('bench', async (session) => {
        for (let at = first; at < Math.min(first + 50, count); at++) {
          await session.apply({
            root: 'shared',
            path: `decisions/record-${at}.md`,
            text: recordText(project.name, at),
            op: 'create',
            id: `decision/record-${at}`,
          });
        }
      });
  });
  const rate = (count: number, ms: number): string => `${Math.round(count / (ms / 1_000))} a second`;
  console.log(
    `loaded ${projects} projects, ${kept} messages (${rate(kept, between - started)}), ${records} records (${rate(records, performance.now() - between)})`,
  );
  return made;
}
