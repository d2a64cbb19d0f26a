import { gzip } from 'node:zlib';
import { promisify } from 'node:util';
import type { Client, GIT } from '../../../core/episode/episode.ts';
import type { EpisodeArchive, EpisodePart, ProjectBatch, StoredSession } from '../../../core/ports/episodes.ts';
import type { Postgres } from '../connect.ts';
import type { Sql } from '../sql.ts';
import { type KnownSession, PendingChange } from './change.ts';
import { type ArchivedBlock, saveChange, type SavePlace } from './save.ts';

const packed = promisify(gzip);
/** Locks of indexes, apart from those of other programs. */
const LOCK_KIND = 0x68_66;

export interface EpisodeBatch {
  readonly change: PendingChange;
  readonly archive: Pick<EpisodeArchive, 'pack' | 'append'>;
}

const sessionsOf = (parts: readonly EpisodePart[]): readonly string[] => [...new Set(parts.map(({ facts }) => facts.sessionId))];

/** Runs `work` on the stored state of a batch's sessions and writes its changes, in one transaction that is committed when this returns. */
export async function inEpisodeBatch<T>(postgres: Postgres, place: SavePlace, { parts }: ProjectBatch, work: (batch: EpisodeBatch) => Promise<T>): Promise<T> {
  // Numbers are drawn in a transaction of their own, so that imports of other projects do not wait. Some stay unused.
  const nextUnit = await postgres.asOrganisation(place.org, (sql) => drawUnits(sql, place.org, sessionsOf(parts).length));
  return postgres.asOrganisation(place.org, (sql) => batchIn(sql, place, parts, nextUnit, work));
}

/** The same inside the caller's transaction. `nextUnit` is the first of as many free numbers as there are sessions. */
export async function batchIn<T>(
  sql: Sql,
  place: SavePlace,
  parts: readonly EpisodePart[],
  nextUnit: number,
  work: (batch: EpisodeBatch) => Promise<T>,
): Promise<T> {
  await lockIndex(sql, place);
  const change = new PendingChange(await knownSessions(sql, place, sessionsOf(parts)), nextUnit);
  const archived: ArchivedBlock[] = [];
  const archive: EpisodeBatch['archive'] = {
    pack: (lines) => packed(lines.map((line) => `${line}\n`).join('')),
    append: (name, length, block) => {
      const unit = [...change.sessions.values()].find(({ session }) => session.archive === name)?.session.unit;
      if (unit === undefined) throw new Error(`no session has the archive ${name}`);
      archived.push({ unit, start: length, packed: block });
      return length + block.length;
    },
  };
  const result = await work({ change, archive });
  await saveChange(sql, place, change, archived);
  return result;
}

/** Lets one transaction at a time change the index of a project, because a change reads lists and writes them back. Taken before numbers are drawn. */
export async function lockIndex(sql: Sql, { org, project }: SavePlace): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK_KIND} * 65536 + ${org} % 65536, ${project})`;
}

export async function drawUnits(sql: Sql, org: number, count: number): Promise<number> {
  const [drawn] = await sql<{ last: number }>`
    insert into unit_numbers as n (org, last) values (${org}, ${count}) on conflict (org) do update set last = n.last + excluded.last returning last`;
  return (drawn?.last ?? count) - count + 1;
}

interface UnitRow {
  readonly unit: number;
  readonly id: string;
  readonly client: Client | typeof GIT;
  readonly folder: string | null;
  readonly branch: string | null;
  readonly version: string | null;
  readonly title: string | null;
  readonly started: string | null;
  readonly ended: string | null;
  readonly source: string;
  readonly archive: string;
  readonly archived: string;
  readonly dropped: boolean;
  readonly messages: number;
  readonly prompts: number;
  readonly place: number;
  readonly size: number;
  readonly files: readonly string[];
}

async function knownSessions(sql: Sql, { org, project }: SavePlace, ids: readonly string[]): Promise<readonly KnownSession[]> {
  const units = await sql<UnitRow>`select * from units where org = ${org} and project = ${project} and id = any(${ids}) and kind = 'session'`;
  const messages = await sql<{ unit: number; id: string; size: number }>`
    select unit, id, size from messages where org = ${org} and unit = any(${units.map(({ unit }) => unit)}::integer[])`;
  const sizes = new Map(units.map(({ unit }) => [unit, new Map<string, number>()]));
  for (const { unit, id, size } of messages) sizes.get(unit)?.set(id, size);
  return units.map((row) => ({
    session: sessionOf(row),
    started: numberOf(row.started),
    ended: numberOf(row.ended),
    size: row.size,
    files: row.files,
    sizes: sizes.get(row.unit) ?? new Map(),
  }));
}

const numberOf = (value: string | null): number | undefined => (value === null ? undefined : Number(value));
const instantOf = (value: string | null): string | undefined => (value === null ? undefined : new Date(Number(value)).toISOString());

function sessionOf(row: UnitRow): StoredSession {
  const optional = {
    project: row.folder ?? undefined,
    branch: row.branch ?? undefined,
    clientVersion: row.version ?? undefined,
    title: row.title ?? undefined,
    startedAt: instantOf(row.started),
    endedAt: instantOf(row.ended),
  };
  const known = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined));
  return {
    unit: row.unit,
    facts: { sessionId: row.id, client: row.client, ...known },
    archive: row.archive,
    archiveBytes: Number(row.archived),
    dropped: row.dropped,
    source: row.source,
    messages: row.messages,
    prompts: row.prompts,
    nextPlace: row.place,
  };
}
