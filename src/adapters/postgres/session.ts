import { Failure } from '../../core/failure.ts';
import { utcSeconds } from '../../core/instant.ts';
import type { Clock } from '../../core/ports/host.ts';
import type { FileChange, FileRef, JournalEntry, WriteSession } from '../../core/ports/store.ts';
import type { Sql } from './sql.ts';

export interface SessionParts {
  readonly sql: Sql;
  readonly org: number;
  readonly project: number;
  readonly actor: string;
  readonly md5: (bytes: Buffer) => string;
  readonly now: Clock;
  /** The last entry in the journal. */
  readonly seq: number;
  /** Called before anything is written. */
  readonly wrote: () => void;
}

const FORGOTTEN_NAME = '.forgotten';

/** Writes within the transaction that holds the project's lock. */
export function openSession({ sql, org, project, actor, md5, now, seq, wrote }: SessionParts): WriteSession {
  let last = seq;
  let group: string | undefined;

  const append = async (entry: Omit<JournalEntry, 'seq' | 'at' | 'group'>, of?: string): Promise<JournalEntry> => {
    last += 1;
    const whole: JournalEntry = { seq: last, at: utcSeconds(now()), group: of ?? String(last), ...entry };
    wrote();
    await sql`
      with drawn as (select nextval('journal_positions') as position), counted as (
        update projects set seq = ${last}, position = drawn.position from drawn where org = ${org} and project = ${project})
      insert into journal (org, project, seq, position, root, path, entry)
      select ${org}, ${project}, ${last}, position, ${entry.root}, ${entry.path}, ${JSON.stringify(whole)}::json from drawn`;
    return whole;
  };

  const put = ({ root, path }: FileRef, content: Buffer, mtime?: number): Promise<unknown> => {
    wrote();
    const time = mtime ?? now();
    // Two writes within the same moment still get different times.
    return sql`
      insert into files as f (org, project, root, path, content, hash, mtime) values (${org}, ${project}, ${root}, ${path}, ${content}, ${md5(content)}, ${time})
      on conflict (org, project, root, path) do update set content = excluded.content, hash = excluded.hash,
        mtime = case when ${mtime === undefined} then greatest(excluded.mtime, f.mtime + 0.01) else excluded.mtime end`;
  };

  const original = async ({ root, path }: FileRef): Promise<{ content: Buffer; mtime: number }> => {
    const [file] = await sql<{ content: Buffer; mtime: number }>`
      select content, mtime from files where org = ${org} and project = ${project} and root = ${root} and path = ${path}`;
    if (!file) throw new Failure('IO_ERROR', `cannot copy ${path}: it does not exist`);
    return file;
  };

  const apply = async ({ text, copyOf, ...facts }: FileChange): Promise<JournalEntry> => {
    const { root, path } = facts;
    const copied = copyOf && (await original(copyOf));
    const content = copied?.content ?? (text === undefined ? undefined : Buffer.from(text));
    wrote();
    const [old] = await sql<{ hash: string }>`
      with old as (select content, hash from files where org = ${org} and project = ${project} and root = ${root} and path = ${path}), kept as (
        insert into versions (org, project, hash, content) select ${org}, ${project}, hash, content from old on conflict do nothing)
      select hash from old`;
    if (content === undefined) await sql`delete from files where org = ${org} and project = ${project} and root = ${root} and path = ${path}`;
    else await put(facts, content, copied?.mtime);
    const hashes = { ...(old && { before: old.hash }), ...(content && { after: md5(content) }) };
    const entry = await append({ ...facts, actor, ...hashes }, group);
    group ??= entry.group;
    return entry;
  };

  const derive = async ({ root, path }: FileRef, text: string): Promise<void> => {
    const content = Buffer.from(text);
    const [same] = await sql`
      select from files where org = ${org} and project = ${project} and root = ${root} and path = ${path} and hash = ${md5(content)}`;
    if (!same) await put({ root, path }, content);
  };

  return {
    apply,
    adopt: async ({ root, path, hash, text }, before, copies) => {
      const entry = await append({ root, path, actor: 'hand', op: 'adopt', ...(before !== undefined && { before }), after: hash });
      const content = Buffer.from(text);
      if (copies && md5(content) === hash) {
        await sql`insert into versions (org, project, hash, content) values (${org}, ${project}, ${hash}, ${content}) on conflict do nothing`;
      }
      return entry;
    },
    view: derive,
    state: derive,
    erase: async (places, hashes) => {
      wrote();
      for (const { root, path } of places) {
        const pathWithoutName = `${path.slice(0, path.lastIndexOf('/') + 1)}${FORGOTTEN_NAME}`;
        // The journal keeps only the fact, time and author of the write.
        await sql`
          update journal set path = ${pathWithoutName}, entry = json_strip_nulls(json_build_object('seq', entry->'seq', 'at', entry->'at', 'op', 'forget',
            'group', entry->'group', 'actor', entry->'actor', 'root', entry->'root', 'path', ${pathWithoutName}::text, 'undoes', entry->'undoes'))
          where org = ${org} and project = ${project} and root = ${root} and path = ${path}`;
        await sql`delete from files where org = ${org} and project = ${project} and root = ${root} and path = ${path}`;
      }
      await sql`delete from versions where org = ${org} and project = ${project} and hash = any(${[...hashes]})`;
      const [first] = places;
      if (first) await append({ actor, op: 'forget', root: first.root, path: FORGOTTEN_NAME });
    },
    // Erasing is one transaction, so a crash leaves nothing pending. Folders exist only through their files.
    pending: async () => undefined,
    erased: async () => undefined,
    folder: async () => undefined,
  };
}
