import type { IndexedItem, ItemIndex, TeamItem } from '../../../core/ports/team/search.ts';
import { drawUnits, lockIndex } from '../search-index/batches.ts';
import { removePostings, removeWords, savePostings } from '../search-index/postings.ts';
import { insertChunks, insertWords, type SavePlace, termsIn, withoutZeros } from '../search-index/save.ts';
import type { Sql } from '../sql.ts';

interface ItemRow {
  readonly id: string;
  readonly kind: TeamItem['type'];
  readonly name: string;
  readonly source: string;
  readonly title: string;
  readonly files: readonly string[];
  readonly started: string | null;
  readonly ended: string | null;
  readonly facts: Pick<TeamItem, 'category' | 'status' | 'trust' | 'supersededBy'>;
}

const itemOf = ({ id, kind, name, source, title, files, started, ended, facts }: ItemRow): TeamItem => ({
  ...{ id, type: kind, name, path: source, title, files },
  ...(started !== null && { startedAt: Number(started) }),
  ...(ended !== null && { endedAt: Number(ended) }),
  ...facts,
});

/** The index entries of an item, which are removed with it. */
interface Vocabulary {
  readonly terms: readonly string[];
  readonly words: IndexedItem['words'];
  readonly chunks: number;
}

async function removeItems(sql: Sql, { org, project }: SavePlace, ids: readonly string[]): Promise<void> {
  const rows = await sql<{ unit: number; size: number; vocabulary: Vocabulary }>`
    delete from units where org = ${org} and project = ${project} and id = any(${ids}) and kind <> 'session' returning unit, size, vocabulary`;
  if (rows.length === 0) return;
  const units = rows.map(({ unit }) => unit);
  await sql`
    delete from chunks c using unnest(${units}::integer[]) as n (unit) where c.org = ${org} and c.chunk >= n.unit::bigint << 31 and c.chunk < (n.unit::bigint + 1) << 31`;
  const place = { org, project };
  await removePostings(
    sql,
    place,
    rows.flatMap(({ vocabulary }) => vocabulary.terms),
    units,
  );
  await removeWords(
    sql,
    place,
    rows.flatMap(({ vocabulary }) => vocabulary.words),
  );
  const [chunks, terms] = [rows.reduce((sum, { vocabulary }) => sum + vocabulary.chunks, 0), rows.reduce((sum, { size }) => sum + size, 0)];
  await sql`update index_sizes set chunks = chunks - ${chunks}, units = units - ${rows.length}, terms = terms - ${terms} where org = ${org} and project = ${project}`;
}

async function putItems(sql: Sql, place: SavePlace, items: readonly IndexedItem[]): Promise<void> {
  const { org, project } = place;
  const column = <T>(pick: (item: IndexedItem) => T): T[] => items.map(pick);
  const factsOf = ({ category, status, trust, supersededBy }: IndexedItem): string => JSON.stringify({ category, status, trust, supersededBy });
  const vocabularyOf = ({ chunks, words }: IndexedItem): string => {
    const vocabulary: Vocabulary = { terms: [...new Set(chunks.flatMap(({ terms }) => terms))], words, chunks: chunks.length };
    return JSON.stringify(vocabulary);
  };
  await sql`
    insert into units (org, project, unit, id, client, kind, name, title, started, ended, source, archive, size, files, facts, vocabulary)
    select ${org}, ${project}, n.unit, n.id, '', n.kind, n.name, n.title, n.started, n.ended, n.source, '', n.size, array(select json_array_elements_text(n.files)), n.facts, n.vocabulary
    from unnest(${column(({ unit }) => unit)}::integer[], ${column(({ id }) => id)}::text[], ${column(({ type }) => type)}::text[], ${column(({ name }) => name)}::text[],
      ${column(({ title }) => withoutZeros(title))}::text[], ${column(({ startedAt }) => startedAt ?? null)}::bigint[], ${column(({ endedAt }) => endedAt ?? null)}::bigint[],
      ${column(({ path }) => path)}::text[], ${column(({ size }) => size)}::integer[], ${column(({ files }) => JSON.stringify(files.map(withoutZeros)))}::json[],
      ${column(factsOf)}::json[], ${column(vocabularyOf)}::json[])
      as n (unit, id, kind, name, title, started, ended, source, size, files, facts, vocabulary)`;
  const chunks = items.flatMap((item) => item.chunks);
  await insertChunks(
    sql,
    org,
    chunks.map((chunk) => ({ chunk, entry: undefined })),
  );
  await savePostings(sql, place, termsIn(chunks));
  await insertWords(sql, place, new Set(items.flatMap(({ words }) => words.map(([word]) => word))));
  const size = items.reduce((sum, item) => sum + item.size, 0);
  await sql`
    insert into index_sizes as s (org, project, chunks, units, terms) values (${org}, ${project}, ${chunks.length}, ${items.length}, ${size})
    on conflict (org, project) do update set chunks = s.chunks + excluded.chunks, units = s.units + excluded.units, terms = s.terms + excluded.terms`;
}

/** Records and documents of a project, as units of the same index as its conversations. */
export const itemIndexIn = (sql: Sql, place: SavePlace): ItemIndex => {
  const { org, project } = place;
  return {
    units: async (ids) => {
      await lockIndex(sql, place);
      const rows = await sql<{ id: string; unit: number }>`
        select id, unit from units where org = ${org} and project = ${project} and id = any(${ids}) and kind <> 'session'`;
      return new Map(rows.map(({ id, unit }) => [id, unit]));
    },
    drawUnits: (count) => drawUnits(sql, org, count),
    remove: (ids) => removeItems(sql, place, ids),
    put: (items) => (items.length === 0 ? Promise.resolve() : putItems(sql, place, items)),
    list: async ({ before = Number.MAX_SAFE_INTEGER, behind = { endedAt: Number.MAX_SAFE_INTEGER, id: '' }, limit, type }) => {
      const rows = await sql<ItemRow>`
        select id, kind, name, source, title, files, started, ended, facts from units
        where org = ${org} and project = ${project} and kind = any(${type === undefined ? ['record', 'document'] : [type]}) and ended < ${before}
        and (ended < ${behind.endedAt} or ended = ${behind.endedAt} and id > ${behind.id})
        order by ended desc, id limit ${limit}`;
      return rows.map(itemOf);
    },
    named: async (name) => {
      const rows = await sql<ItemRow>`
        select id, kind, name, source, title, files, started, ended, facts from units where org = ${org} and name = ${name} and project = ${project} and kind <> 'session'
        order by kind desc, id`;
      return rows.map(itemOf);
    },
  };
};
