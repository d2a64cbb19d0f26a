import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Failure } from '../../../core/failure.ts';

const run = promisify(execFile);

export interface ClusterParts {
  /** The folder with `postgres`, `initdb` and `pg_ctl`. */
  readonly binaries: string;
  /** Holds all files of this server; created if it is missing. */
  readonly folder: string;
  /** Settings as in postgresql.conf. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** A PostgreSQL server that Holdfast starts on loopback, with its data in one folder. */
export interface Cluster {
  /** Signs in as its superuser, to the database `postgres`. */
  readonly url: string;
  readonly port: number;
  readonly data: string;
  /** The process id of the postmaster. */
  pid(): number;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** PostgreSQL refuses to run as root. */
const unprivileged = (): { uid?: number; gid?: number } => {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = ['-u', '-g'].map((option) => Number(execFileSync('id', [option, 'nobody'], { encoding: 'utf8' })));
  return { ...(uid !== undefined && { uid }), ...(gid !== undefined && { gid }) };
};

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

/** Starts the server; on the first call for a folder, first creates its data. */
export async function startCluster({ binaries, folder, settings = {} }: ClusterParts): Promise<Cluster> {
  const user = unprivileged();
  const [data, secret, log] = [join(folder, 'data'), join(folder, 'password'), join(folder, 'log')];
  const call = async (program: string, args: readonly string[]): Promise<void> => {
    try {
      // LC_ALL makes sorting the same everywhere; no other variable is needed.
      await run(join(binaries, program), args, { ...user, cwd: folder, env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' } });
    } catch (cause) {
      const { stderr = '', message } = cause as { stderr?: string; message: string };
      const output = `${stderr.trim() || message}${existsSync(log) ? `\n${readFileSync(log, 'utf8').slice(-2_000)}` : ''}`;
      throw new Failure('IO_ERROR', `PostgreSQL could not be started with ${program}: ${output}`, { cause, hint: `read ${log}` });
    }
  };
  if (!existsSync(join(data, 'PG_VERSION'))) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(secret, randomBytes(24).toString('hex'), { mode: 0o600 });
    if (user.uid !== undefined && user.gid !== undefined) for (const file of [folder, secret]) chownSync(file, user.uid, user.gid);
    chmodSync(folder, 0o700);
    await call('initdb', ['-D', data, '-U', 'postgres', '-A', 'scram-sha-256', '-E', 'UTF8', '--locale=C', `--pwfile=${secret}`, '--no-sync']);
  }
  const port = await freePort();
  const options = { listen_addresses: '127.0.0.1', port: String(port), unix_socket_directories: '', ...settings };
  const optionWords = Object.entries(options).map(([name, value]) => `-c ${name}='${value}'`);
  const cluster: Cluster = {
    url: `postgres://postgres:${readFileSync(secret, 'utf8')}@127.0.0.1:${port}/postgres`,
    port,
    data,
    pid: () => Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]),
    start: () => call('pg_ctl', ['-D', data, '-l', log, '-w', '-t', '120', '-o', optionWords.join(' '), 'start']),
    stop: () => call('pg_ctl', ['-D', data, '-w', '-m', 'fast', 'stop']),
  };
  await cluster.start();
  return cluster;
}
