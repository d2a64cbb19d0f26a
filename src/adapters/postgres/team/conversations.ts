import { gunzipSync } from 'node:zlib';
import type { ConversationStore, TeamConversation } from '../../../core/ports/team/conversations.ts';
import { batchIn, drawUnits, lockIndex } from '../search-index/batches.ts';
import { removePostings, removeWords, termsOfUnit } from '../search-index/postings.ts';
import type { SavePlace } from '../search-index/save.ts';
import type { Sql } from '../sql.ts';

interface ConversationRow {
  readonly id: string;
  readonly author: string | null;
  readonly client: TeamConversation['client'];
  readonly title: string | null;
  readonly messages: number;
  readonly started: string | null;
  readonly ended: string | null;
  readonly digest: string | null;
}

const conversationOf = ({ id, author, client, title, messages, started, ended, digest }: ConversationRow): TeamConversation => ({
  ...{ id, author: author ?? '', client, title: title ?? '', messages },
  ...(started !== null && { startedAt: Number(started) }),
  ...(ended !== null && { endedAt: Number(ended) }),
  ...(digest !== null && { digest }),
});

/** The conversations that members sent, as units of the same index as records. */
export const conversationsIn = (sql: Sql, place: SavePlace): ConversationStore => {
  const { org, project } = place;
  const unitNamed = async (id: string): Promise<number | undefined> =>
    (await sql<{ unit: number }>`select unit from units where org = ${org} and project = ${project} and id = ${id} and kind = 'session'`)[0]?.unit;
  return {
    lock: () => lockIndex(sql, place),
    known: async (ids) => {
      const rows = await sql<ConversationRow>`
        select id, author, client, title, messages, started, ended, digest from units
        where org = ${org} and project = ${project} and id = any(${ids}) and kind = 'session'`;
      return rows.map(conversationOf);
    },
    list: async ({ before = Number.MAX_SAFE_INTEGER, limit }) => {
      const rows = await sql<ConversationRow>`
        select id, author, client, title, messages, started, ended, digest from units
        where org = ${org} and project = ${project} and kind = 'session' and coalesce(ended, 0) < ${before} order by ended desc nulls last, id limit ${limit}`;
      return rows.map(conversationOf);
    },
    inBatch: async (parts, work) => batchIn(sql, place, parts, await drawUnits(sql, org, parts.length), work),
    note: async (id, author, digest) =>
      void (await sql`update units set author = ${author}, digest = ${digest ?? null} where org = ${org} and project = ${project} and id = ${id} and kind = 'session'`),
    lines: async (id) => {
      const unit = await unitNamed(id);
      if (unit === undefined) return [];
      const blocks = await sql<{ packed: Buffer }>`select packed from archives where org = ${org} and unit = ${unit} order by start`;
      return blocks.flatMap(({ packed }) => gunzipSync(packed).toString('utf8').split('\n')).filter((line) => line !== '');
    },
    remove: async (id, words) => {
      const unit = await unitNamed(id);
      if (unit === undefined) return;
      const terms = await termsOfUnit(sql, place, unit);
      const { count } = await sql`delete from chunks where org = ${org} and chunk >= ${unit}::bigint << 31 and chunk < (${unit}::bigint + 1) << 31`;
      const [removed] = await sql<{ size: number }>`delete from units where org = ${org} and unit = ${unit} returning size`;
      await removePostings(sql, place, terms, [unit]);
      await removeWords(sql, place, words);
      await sql`update index_sizes set chunks = chunks - ${count}, units = units - 1, terms = terms - ${removed?.size ?? 0} where org = ${org} and project = ${project}`;
    },
  };
};
