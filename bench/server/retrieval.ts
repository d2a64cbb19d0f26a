import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Postgres } from '../../src/adapters/postgres/connect.ts';
import { inEpisodeBatch } from '../../src/adapters/postgres/search-index/batches.ts';
import { PostgresRecallIndex } from '../../src/adapters/postgres/search-index/recall-index.ts';
import { createOrganisation, createProject } from '../../src/adapters/postgres/organisations.ts';
import { md5 } from '../../src/adapters/process/environment.ts';
import { transactionKeeper } from '../../src/app/episodes/batch-transactions.ts';
import { archivedLine } from '../../src/app/episodes/archive-line.ts';
import type { EpisodeEntry, EpisodePart } from '../../src/core/ports/episodes.ts';
import { openStore } from '../../src/bin/wiring/episodes.ts';
import type { RecallIndex } from '../../src/recall/port.ts';
import { rankChunks } from '../../src/recall/rank/rank-chunks.ts';
import { type By, type RankedIds, judge, means } from '../retrieval/ruler.ts';
import { codingProjects, conversations, type DataSet, type Query } from '../retrieval/sets.ts';

const NOW = Date.now();

/** The conversations that an import has archived, a session at a time. */
function* archivedSessions(home: string, key: string): Generator<EpisodePart> {
  const { store, close } = openStore(home, key);
  for (const { facts, source, archive, archiveBytes } of store.index.sessions(-1).toReversed()) {
    const entries: EpisodeEntry[] = [];
    for (const { lines } of store.archive.blocks(archive, archiveBytes)) {
      for (const line of lines) {
        const read = archivedLine(line);
        if (read && 'entry' in read) entries.push(read.entry);
      }
    }
    yield { facts, source, entries };
  }
  close();
}

async function copyInto(postgres: Postgres, org: number, home: string, keys: Iterable<string>): Promise<ReadonlyMap<string, number>> {
  const projects = new Map<string, number>();
  for (const key of keys) {
    const project = await createProject(postgres, org, key);
    projects.set(key, project);
    const keeper = transactionKeeper((batch, work) => inEpisodeBatch(postgres, { org, project }, batch, work), md5);
    for (const part of archivedSessions(home, key)) await keeper.take([{ key, archiveBytes: 1, parts: [part] }]);
  }
  return projects;
}

async function ask(indexes: readonly RecallIndex[], { query }: Query): Promise<RankedIds> {
  const searched = indexes.map((index) => ({ index }));
  const { hits } = await rankChunks(searched, { text: query, limit: 10, now: NOW });
  return { sessions: hits.map(({ candidate }) => candidate.row.id), messages: hits.flatMap(({ candidate }) => candidate.chunk.messageId ?? []) };
}

async function compare(postgres: Postgres, set: DataSet, home: string): Promise<void> {
  const org = await createOrganisation(postgres, set.name);
  const projects = await copyInto(postgres, org, home, set.indexes.keys());
  const judged: { readonly group: string; readonly query: Query; readonly hits: RankedIds }[] = [];
  let same = 0;
  for (const query of set.queries) {
    const files = await ask(set.indexesOf(query), query);
    const keys = set.kind === 'coding' ? [...projects.values()] : [projects.get(set.projectOf(query)) ?? 0];
    const rows = await postgres.asOrganisation(org, (sql) =>
      ask(
        keys.map((project) => new PostgresRecallIndex(sql, { org, project })),
        query,
      ),
    );
    if (JSON.stringify(files) === JSON.stringify(rows)) same++;
    judged.push({ group: 'files', query, hits: files }, { group: 'PostgreSQL', query, hits: rows });
  }
  const bys: readonly By[] = set.kind === 'talk' ? ['session', 'message'] : ['session'];
  for (const by of bys) {
    const figures = means(judged.map(({ group, query, hits }) => ({ group, figures: judge(query, hits, by) })));
    for (const group of ['files', 'PostgreSQL']) {
      const one = figures.get(group);
      console.log(
        `  ${set.name.padEnd(22)} by ${by.padEnd(8)} ${group.padEnd(11)} any@1 ${one?.any1.toFixed(3)}  any@5 ${one?.any5.toFixed(3)}  any@10 ${one?.any10.toFixed(3)}`,
      );
    }
  }
  console.log(`  ${set.name.padEnd(22)} the same ten hits in the same order for ${same} of ${set.queries.length} questions`);
}

/** The questions of the given data on files and on PostgreSQL. */
export async function compareRetrieval(postgres: Postgres, data: string): Promise<void> {
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-bench-'));
  try {
    for (const set of codingProjects(data, scratch)) await compare(postgres, set, path.join(scratch, `${set.name}-home`));
    const talk = conversations(data, scratch);
    if (talk) await compare(postgres, talk, path.join(scratch, 'talk-home'));
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true });
  }
}
