import type { OfferedVersion, Remote, RemoteVersion, Space } from '../../../src/core/ports/team/sync.ts';
import type { NewVersion, VersionFacts, VersionLog } from '../../../src/core/ports/team/version-log.ts';
import { changesSince, takeVersion, tipCursor } from '../../../src/app/team/versions.ts';
import { sha256 } from '../../../src/adapters/process/environment.ts';
import { ok, refuse, type Result } from '../../../src/core/result.ts';

interface Row extends NewVersion {
  readonly seq: number;
  readonly mark: string;
}

/** A log in memory that can be set back to what it was: a server and its backups. */
export class MemoryLog implements VersionLog {
  rows: Row[] = [];

  #latest(id: string): Row | undefined {
    return this.rows.findLast((row) => row.id === id);
  }
  tip = async () => ({ seq: this.rows.at(-1)?.seq ?? 0, mark: this.rows.at(-1)?.mark ?? '' });
  markAt = async (seq: number) => this.rows.find((row) => row.seq === seq)?.mark;
  head = async (id: string): Promise<RemoteVersion | undefined> => {
    const row = this.#latest(id);
    return row && versionOf(row);
  };
  has = async (id: string, hash: string, base: string | null) => this.rows.some((row) => row.id === id && row.hash === hash && row.base === base);
  append = async (version: NewVersion, mark: string) => void this.rows.push({ ...version, seq: (await this.tip()).seq + 1, mark });
  eraseTexts = async (id: string) => {
    this.rows = this.rows.map(({ body, ...row }) => (row.id === id || body === undefined ? row : { ...row, body }));
  };
  headsAfter = async (seq: number, limit: number) => {
    const heads = this.rows.filter((row) => row.seq > seq && this.#latest(row.id) === row);
    return heads.slice(0, limit).map((row) => ({ ...versionOf(row), seq: row.seq }));
  };
  history = async (id: string, limit: number): Promise<readonly VersionFacts[]> =>
    this.rows
      .filter((row) => row.id === id)
      .toReversed()
      .slice(0, limit)
      .map(({ hash, kind, author, body }) => ({ hash, kind, author, at: '2026-01-01T00:00:00Z', hasText: body !== undefined }));
  body = async (id: string, hash: string) => this.rows.find((row) => row.id === id && row.hash === hash)?.body;
}

const versionOf = ({ id, hash, kind, body, ancestors }: Row): RemoteVersion => ({ id, hash, kind, ancestors, ...(body !== undefined && { body }) });

/** What the network does to a call. */
export type NetworkFault = 'none' | 'before' | 'after';

/** The log over a network that loses requests and answers. */
export const remoteOver = (logs: Readonly<Record<Space, MemoryLog>>, fault: () => NetworkFault, author: string, page = 7): Remote => {
  const over = async <T>(work: () => Promise<T>): Promise<Result<T>> => {
    const now = fault();
    if (now === 'before') return refuse('IO_ERROR', 'The connection was cut.');
    const value = await work();
    return now === 'after' ? refuse('IO_ERROR', 'The answer was lost.') : ok(value);
  };
  const take = async (space: Space, versions: readonly OfferedVersion[]) => {
    const outcomes = [];
    for (const version of versions) outcomes.push(await takeVersion(logs[space], sha256, version, author));
    return { outcomes, tip: await tipCursor(logs[space]) };
  };
  return {
    changes: (space, cursor, tip) => over(() => changesSince(logs[space], cursor, tip, page)),
    offer: (space, versions) => over(() => take(space, versions)),
    body: (space, id, hash) => over(() => logs[space].body(id, hash)),
  };
};
