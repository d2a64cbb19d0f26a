import { randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { openPostgres } from '../../../src/adapters/postgres/connect.ts';
import { teamStoreOn } from '../../../src/adapters/postgres/team/team-store.ts';
import { sha256 } from '../../../src/adapters/process/environment.ts';
import { remoteProject, teamApi } from '../../../src/adapters/team/remote.ts';
import { issueToken, putMember, type TeamMeans } from '../../../src/app/team/access.ts';
import type { Remote, RemoteVersion } from '../../../src/core/ports/team/sync.ts';
import type { VersionLog } from '../../../src/core/ports/team/version-log.ts';
import { refuse, type Result } from '../../../src/core/result.ts';
import { rateLimit } from '../../../src/edges/team/limits.ts';
import { Metrics } from '../../../src/edges/team/metrics.ts';
import { serveTeam } from '../../../src/edges/team/serve.ts';
import { connectRaw, freshDatabase } from '../../postgres/cluster.ts';
import { must } from '../memory.ts';
import { MemoryLog, remoteOver, type NetworkFault } from './memory-log.ts';

/** A server that machines sync with, and its backup. */
export interface SyncServer {
  remote(author: string): Remote;
  backUp(): Promise<void>;
  restore(): Promise<void>;
  /** What records are now. */
  heads(): Promise<readonly RemoteVersion[]>;
}

const headsIn = (log: VersionLog): Promise<readonly RemoteVersion[]> => log.headsAfter(0, 10_000);

/** Only the rules of versions, without HTTP and database. */
export async function memoryServer(fault: () => NetworkFault): Promise<SyncServer> {
  const logs = { shared: new MemoryLog(), private: new MemoryLog() };
  let backup = [...logs.shared.rows];
  return {
    remote: (author) => remoteOver(logs, fault, author, 3),
    backUp: async () => void (backup = [...logs.shared.rows]),
    restore: async () => void (logs.shared.rows = [...backup]),
    heads: () => headsIn(logs.shared),
  };
}

const MEMBERS = ['ada', 'bob', 'cai'];
const means: TeamMeans = { now: Date.now, random: (bytes) => randomBytes(bytes).toString('hex'), sha256 };

/** The network between a machine and a server: requests and answers get lost. */
function overNetwork(remote: () => Promise<Remote>, fault: () => NetworkFault): Remote {
  const over = async <T>(ask: (remote: Remote) => Promise<Result<T>>): Promise<Result<T>> => {
    const now = fault();
    if (now === 'before') return refuse('IO_ERROR', 'The connection was cut.');
    const answer = await ask(await remote());
    return now === 'after' ? refuse('IO_ERROR', 'The answer was lost.') : answer;
  };
  return {
    changes: (...asked) => over((to) => to.changes(...asked)),
    offer: (...asked) => over((to) => to.offer(...asked)),
    body: (...asked) => over((to) => to.body(...asked)),
  };
}

/** The real server over HTTP on PostgreSQL. Its backup is a copy of the whole database, for which the server stops. */
export async function postgresServer(fault: () => NetworkFault): Promise<SyncServer> {
  const { name, url, adminUrl } = await freshDatabase();
  const copy = `${name}_backup`;
  const limit = rateLimit(means.now, { perSecond: 1, burst: 100_000 });
  const start = async () => {
    const store = teamStoreOn(await openPostgres(url, { connections: 4 }));
    const parts = { version: 'test', store, means, limits: { requests: limit, wrongTokens: limit }, metrics: new Metrics(), log: () => undefined };
    return { store, ...must(await serveTeam(parts, { host: '127.0.0.1', port: 0 })) };
  };
  let running = await start();
  const org = await running.store.addOrganisation('acme');
  const tokens = await running.store.inOrganisation(org, async (transaction) => {
    await transaction.addProject('web');
    const made = new Map<string, string>();
    for (const member of MEMBERS) {
      must(await putMember(transaction, 'test', { member, name: member, role: 'writer' }));
      made.set(member, must(await issueToken(transaction, org, means, { member, scopes: ['read', 'write'], label: 'test', days: 30 })).text);
    }
    return made;
  });
  const replace = async (made: string, from: string): Promise<void> => {
    await running.stop();
    const admin = await connectRaw(adminUrl.replace(/[^/]+$/, 'postgres'));
    await admin.query(`drop database if exists ${made} with (force)`);
    await admin.query(`create database ${made} template ${from} strategy file_copy`);
    await admin.end();
    running = await start();
  };
  onTestFinished(async () => {
    await running.stop();
    const admin = await connectRaw(adminUrl.replace(/[^/]+$/, 'postgres'));
    await admin.query(`drop database if exists ${copy} with (force)`);
    await admin.end();
  });
  await replace(copy, name);
  return {
    remote: (author) =>
      overNetwork(async () => remoteProject(must(teamApi({ url: `http://127.0.0.1:${running.port}/`, token: tokens.get(author) ?? '' })), 'web'), fault),
    backUp: () => replace(copy, name),
    restore: () => replace(name, copy),
    heads: () =>
      running.store.inOrganisation(org, async (transaction) => {
        const project = await transaction.project('web');
        return headsIn(await transaction.log(project?.project ?? 0, 'shared', 'reading'));
      }),
  };
}
