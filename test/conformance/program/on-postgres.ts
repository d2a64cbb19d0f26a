import fs from 'node:fs';
import path from 'node:path';
import { openPostgres, type Postgres } from '../../../src/adapters/postgres/connect.ts';
import { createOrganisation, createProject } from '../../../src/adapters/postgres/organisations.ts';
import { PostgresStore } from '../../../src/adapters/postgres/store.ts';
import { md5 } from '../../../src/adapters/process/environment.ts';
import { timers } from '../../../src/adapters/process/running.ts';
import { SqliteIndex } from '../../../src/adapters/sqlite/index.ts';
import type { StoreParts } from '../../../src/core/ports/machine.ts';
import type { RootName } from '../../../src/core/ports/store.ts';
import { answerAll } from './answers.ts';
import { Bench } from './bench.ts';

const now = Date.now;
/** A case mostly waits for the database. */
const AT_ONCE = 6;

interface Place {
  readonly postgres: Postgres;
  readonly org: number;
  readonly project: number;
}

/** A case whose memory is in PostgreSQL. What a case lays out as files is taken in, and what a step leaves is laid out again, so that cases see no difference. */
class PostgresBench extends Bench {
  readonly #place: Place;
  #known = new Map<string, string>();

  constructor(place: Place) {
    const index = new SqliteIndex(':memory:');
    super({
      now,
      md5,
      timers,
      openIndex: () => index,
      openStore: ({ roots }: StoreParts) => new PostgresStore({ ...place, roots, md5, now }),
    });
    this.#place = place;
  }

  get #roots(): readonly (readonly [RootName, string])[] {
    return [
      ['shared', this.root],
      ['private', path.dirname(this.view)],
    ];
  }

  /** As a person would have changed it: journalled, with a copy. */
  override async takeIn(): Promise<void> {
    const { store } = this.memory;
    const laid = new Map(
      this.#roots.flatMap(([root, folder]) => filesUnder(folder).map((file) => [`${root}:${file}`, fs.readFileSync(path.join(folder, file), 'utf8')])),
    );
    const placeOf = (key: string) => ({ root: key.split(':', 1)[0] as RootName, path: key.slice(key.indexOf(':') + 1) });
    const changed = [...laid].filter(([key, text]) => this.#known.get(key) !== text);
    const gone = [...this.#known.keys()].filter((key) => !laid.has(key));
    this.#known = laid;
    if (changed.length + gone.length === 0) return;
    await store.write('hand', async (session) => {
      for (const [key, text] of changed) {
        const before = await store.read(placeOf(key));
        await session.state(placeOf(key), text);
        const file = await store.read(placeOf(key));
        if (file) await session.adopt(file, before?.hash, true);
      }
      for (const key of gone) await session.apply({ ...placeOf(key), op: 'purge' });
    });
  }

  override async settle(): Promise<void> {
    await super.settle();
    const { postgres, org, project } = this.#place;
    const rows = await postgres.asOrganisation(
      org,
      (sql) => sql<{ root: RootName; path: string; content: Buffer }>`select root, path, content from files where org = ${org} and project = ${project}`,
    );
    const folders = new Map(this.#roots);
    const stored = new Map(rows.map(({ root, path: file, content }) => [`${root}:${file}`, content.toString('utf8')]));
    for (const key of this.#known.keys())
      if (!stored.has(key)) fs.rmSync(path.join(folders.get(key.split(':', 1)[0] as RootName) ?? '', key.slice(key.indexOf(':') + 1)));
    for (const { root, path: file, content } of rows) {
      const at = path.join(folders.get(root) ?? '', file);
      fs.mkdirSync(path.dirname(at), { recursive: true });
      fs.writeFileSync(at, content);
    }
    this.#known = stored;
  }
}

const filesUnder = (folder: string): readonly string[] =>
  fs.existsSync(folder)
    ? fs
        .readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    : [];

/** Works lifecycle cases on the PostgreSQL whose URL is given, each in a project of its own. */
async function main(url: string): Promise<void> {
  const postgres = await openPostgres(url);
  const org = await createOrganisation(postgres, `conformance-${process.pid}`);
  let count = 0;
  await answerAll(async () => new PostgresBench({ postgres, org, project: await createProject(postgres, org, `case-${++count}`) }), AT_ONCE);
  await postgres.close();
}

void main(process.argv[2] ?? '');
