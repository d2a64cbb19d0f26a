import { encodeOrder, printOf } from '../../../core/episode/chunk-lists.ts';
import type { NewChunk, NewEpisodeEntry } from '../../../core/ports/episodes.ts';
import type { Sql } from '../sql.ts';
import type { PendingChange } from './change.ts';
import { savePostings } from './postings.ts';

/** PostgreSQL's text cannot hold zero characters. */
export const withoutZeros = (text: string): string => text.replaceAll('\u0000', ' ');
const orNull = (values: readonly (string | undefined)[]): (string | null)[] => values.map((value) => (value === undefined ? null : withoutZeros(value)));
const numbersOrNull = (values: readonly (number | undefined)[]): (number | null)[] => values.map((value) => value ?? null);

export interface SavePlace {
  readonly org: number;
  readonly project: number;
}

/** Writes a change in a handful of statements, whatever its size. */
export async function saveChange(sql: Sql, place: SavePlace, change: PendingChange, archived: readonly ArchivedBlock[]): Promise<void> {
  await saveUnits(sql, place, change);
  const removed = await removeGrown(sql, place, change);
  await saveMessages(sql, place, change);
  const chunks = await saveChunks(sql, place, change);
  await savePostings(sql, place, termsIn(change.additions.flatMap(({ addition }) => addition.chunks)));
  await saveNames(sql, place, change);
  await saveArchives(sql, place, archived);
  const size = change.additions.reduce((sum, { addition }) => sum + addition.size, 0);
  const units = [...change.sessions.values()].filter(({ isNew }) => isNew).length;
  await sql`
    insert into index_sizes as s (org, project, chunks, units, terms) values (${place.org}, ${place.project}, ${chunks - removed}, ${units}, ${size})
    on conflict (org, project) do update set chunks = s.chunks + excluded.chunks, units = s.units + excluded.units, terms = s.terms + excluded.terms`;
}

/** Packed lines of a session, and where they begin in its archive. */
export interface ArchivedBlock {
  readonly unit: number;
  readonly start: number;
  readonly packed: Uint8Array;
}

async function saveUnits(sql: Sql, { org, project }: SavePlace, { sessions }: PendingChange): Promise<void> {
  const all = [...sessions.values()];
  const column = <T>(pick: (changed: (typeof all)[number]) => T): T[] => all.map(pick);
  await sql`
    insert into units as u (org, project, unit, id, client, folder, branch, version, title, started, ended, source, archive, archived, messages, prompts, place, size, files)
    select ${org}, ${project}, n.unit, n.id, n.client, n.folder, n.branch, n.version, n.title, n.started, n.ended, n.source, n.archive, n.archived, n.messages, n.prompts, n.place, n.size,
      array(select json_array_elements_text(n.files))
    from unnest(${column(({ session }) => session.unit)}::integer[], ${column(({ session }) => session.facts.sessionId)}::text[], ${column(({ session }) => session.facts.client)}::text[],
      ${orNull(column(({ session }) => session.facts.project))}::text[], ${orNull(column(({ session }) => session.facts.branch))}::text[],
      ${orNull(column(({ session }) => session.facts.clientVersion))}::text[], ${orNull(column(({ session }) => session.facts.title))}::text[],
      ${numbersOrNull(column(({ started }) => started))}::bigint[], ${numbersOrNull(column(({ ended }) => ended))}::bigint[], ${column(({ session }) => withoutZeros(session.source))}::text[],
      ${column(({ session }) => session.archive)}::text[], ${column(({ session }) => session.archiveBytes)}::bigint[], ${column(({ session }) => session.messages)}::integer[],
      ${column(({ session }) => session.prompts)}::integer[], ${column(({ session }) => session.nextPlace)}::integer[], ${column(({ size }) => size)}::integer[],
      ${column(({ files }) => JSON.stringify([...files].map(withoutZeros)))}::json[])
      as n (unit, id, client, folder, branch, version, title, started, ended, source, archive, archived, messages, prompts, place, size, files)
    on conflict (org, unit) do update set folder = excluded.folder, branch = excluded.branch, version = excluded.version, title = excluded.title, started = excluded.started,
      ended = excluded.ended, source = excluded.source, archived = excluded.archived, messages = excluded.messages, prompts = excluded.prompts, place = excluded.place,
      size = excluded.size, files = excluded.files`;
}

/** Deletes chunks of messages that come in a fuller version. Lists keep the old numbers; a search finds no chunk for them. */
async function removeGrown(sql: Sql, { org }: SavePlace, { additions }: PendingChange): Promise<number> {
  const grown = additions.flatMap(({ unit, addition }) => addition.entries.filter(({ known }) => known).map(({ id }) => ({ unit, id })));
  if (grown.length === 0) return 0;
  const { count } = await sql`
    delete from chunks c using unnest(${grown.map(({ unit }) => unit)}::integer[], ${grown.map(({ id }) => id)}::text[]) as g (unit, id)
    where c.org = ${org} and c.chunk >= g.unit::bigint << 31 and c.chunk < (g.unit::bigint + 1) << 31 and c.message = g.id`;
  return count;
}

async function saveMessages(sql: Sql, { org }: SavePlace, { additions }: PendingChange): Promise<void> {
  const rows = new Map(additions.flatMap(({ unit, addition }) => addition.entries.map((entry) => [`${unit}:${entry.id}`, { unit, ...entry }])));
  const all = [...rows.values()];
  await sql`
    insert into messages (org, unit, id, role, size)
    select ${org}, * from unnest(${all.map(({ unit }) => unit)}::integer[], ${all.map(({ id }) => id)}::text[], ${all.map(({ role }) => role)}::text[], ${all.map(({ size }) => size)}::integer[])
    on conflict (org, unit, id) do update set role = excluded.role, size = excluded.size`;
}

async function saveChunks(sql: Sql, { org }: SavePlace, { additions }: PendingChange): Promise<number> {
  const rows = additions.flatMap(({ addition: { entries, chunks } }) => {
    const byId = new Map(entries.map((entry) => [entry.id, entry]));
    return chunks.map((chunk) => ({ chunk, entry: byId.get(chunk.messageId ?? '') }));
  });
  return insertChunks(sql, org, rows);
}

interface ChunkEntry {
  readonly chunk: NewChunk;
  readonly entry: NewEpisodeEntry | undefined;
}

/** Returns how many were new. */
export async function insertChunks(sql: Sql, org: number, rows: readonly ChunkEntry[]): Promise<number> {
  if (rows.length === 0) return 0;
  const { count } = await sql`
    insert into chunks (org, chunk, message, at, speaker, asks, terms, content)
    select ${org}, * from unnest(${rows.map(({ chunk }) => chunk.id)}::bigint[], ${rows.map(({ chunk }) => chunk.messageId ?? '')}::text[],
      ${numbersOrNull(rows.map(({ entry }) => entry?.at))}::bigint[], ${orNull(rows.map(({ entry }) => entry?.speaker))}::text[], ${rows.map(({ entry }) => entry?.asks === true)}::boolean[],
      ${rows.map(({ chunk }) => encodeOrder(chunk.terms.map((term) => ({ print: printOf(term) }))))}::bytea[], ${rows.map(({ chunk }) => withoutZeros(chunk.text))}::text[])
    on conflict do nothing`;
  return count;
}

/** Which chunks hold which term, in ascending order. */
export function termsIn(chunks: readonly NewChunk[]): ReadonlyMap<string, number[]> {
  const chunksByTerm = new Map<string, number[]>();
  for (const { id, terms } of chunks)
    for (const term of new Set(terms)) {
      const ids = chunksByTerm.get(term);
      if (ids) ids.push(id);
      else chunksByTerm.set(term, [id]);
    }
  for (const ids of chunksByTerm.values()) ids.sort((a, b) => a - b);
  return chunksByTerm;
}

async function saveNames(sql: Sql, { org, project }: SavePlace, { additions }: PendingChange): Promise<void> {
  const speakers = [...new Set(additions.flatMap(({ addition }) => addition.entries.flatMap(({ speaker }) => speaker ?? [])))].toSorted();
  await insertWords(sql, { org, project }, new Set(additions.flatMap(({ addition }) => [...addition.words])));
  if (speakers.length > 0) {
    await sql`insert into speakers (org, project, name) select ${org}, p, s from unnest(${[0, project]}::integer[]) p, unnest(${speakers.map(withoutZeros)}::text[]) s on conflict do nothing`;
  }
}

/** Inserts words in order, so that two imports with the same words cannot deadlock. */
export async function insertWords(sql: Sql, { org, project }: SavePlace, words: ReadonlySet<string>): Promise<void> {
  if (words.size === 0) return;
  await sql`insert into words (org, project, word)
    select ${org}, p, w from unnest(${[0, project]}::integer[]) p, unnest(${[...words].toSorted()}::text[]) w on conflict do nothing`;
}

async function saveArchives(sql: Sql, { org }: SavePlace, archived: readonly ArchivedBlock[]): Promise<void> {
  if (archived.length === 0) return;
  await sql`
    insert into archives (org, unit, start, packed)
    select ${org}, * from unnest(${archived.map(({ unit }) => unit)}::integer[], ${archived.map(({ start }) => start)}::bigint[], ${archived.map(({ packed }) => packed)}::bytea[])`;
}
