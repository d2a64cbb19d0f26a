import type { ChunkVectors } from '../../../core/ports/team/search.ts';
import type { Sql } from '../sql.ts';

/** The index compares only the signs of the vectors. It returns this many times the candidates wanted; the full vectors then decide. */
const CANDIDATE_FACTOR = 4;

const vectorText = (vector: Float32Array): string => `[${vector.join(',')}]`;

/** Vectors with pgvector, read by key and compared one by one: an index over all organisations would rank the vectors of others first. */
export const chunkVectorsIn = (sql: Sql, org: number): ChunkVectors => ({
  waiting: async (model, { before = Number.MAX_SAFE_INTEGER, most }) => {
    const rows = await sql<{ chunk: string; content: string }>`
      select c.chunk, c.content from chunks c
      where c.org = ${org} and c.chunk < ${before} and c.content <> ''
        and not exists (select from vectors v where v.org = ${org} and v.chunk = c.chunk and v.model = ${model})
      order by c.chunk desc limit ${most}`;
    return rows.map(({ chunk, content }) => ({ chunk: Number(chunk), text: content }));
  },
  put: async (model, vectors) => {
    // A text that changed meanwhile keeps its number; its old vector must not be stored.
    await sql`
      insert into vectors (org, chunk, project, is_talk, model, signs, vector)
      select ${org}, c.chunk, u.project, u.kind = 'session', ${model}, binary_quantize(n.vector::vector), n.vector::vector
      from unnest(${vectors.map(({ chunk }) => chunk)}::bigint[], ${vectors.map(({ text }) => text)}::text[], ${vectors.map(({ vector }) => vectorText(vector))}::text[]) n (chunk, content, vector)
      cross join lateral (select chunk from chunks where org = ${org} and chunk = n.chunk and content = n.content for key share) c
      cross join lateral (select project, kind from units where org = ${org} and unit = (n.chunk >> 31)::integer limit 1) u
      on conflict (org, chunk) do update
        set project = excluded.project, is_talk = excluded.is_talk, model = excluded.model, signs = excluded.signs, vector = excluded.vector`;
  },
  nearest: async (model, question, { project, isTalk, most }) => {
    const query = vectorText(question);
    const rows = await sql<{ chunk: string; near: number }>`
      select s.chunk, 1 - (v.vector <=> ${query}::vector) as near from (
        select chunk from vectors
        where org = ${org} and project between ${project ?? 0} and ${project ?? 2 ** 31 - 1} and is_talk = ${isTalk} and model = ${model}
          and length(signs) = ${question.length}
        order by signs <~> binary_quantize(${query}::vector) limit ${most * CANDIDATE_FACTOR}) s
      cross join lateral (select vector from vectors where org = ${org} and chunk = s.chunk limit 1) v
      order by near desc, s.chunk limit ${most}`;
    return rows.map(({ chunk, near }) => ({ chunk: Number(chunk), near }));
  },
});
