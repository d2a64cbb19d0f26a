import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { TestProject } from 'vitest/node';
import { ensureBuilt } from '../scripts/fresh.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the first test that needs PostgreSQL starts it. */
    postgresFolder: string;
  }
}

/** Carries the process id of the run, so that the next run finds the servers of runs that were killed. */
const PREFIX = 'holdfast-postgres-';

/** Builds `dist/` once for all test files, if it is older than its sources. Stops the PostgreSQL that tests started. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (ensureBuilt() !== 0) throw new Error('dist/ could not be built: see above');
  const left = readdirSync(tmpdir()).filter((name) => name.startsWith(PREFIX) && !isRunning(Number(name.slice(PREFIX.length).split('-')[0])));
  for (const name of left) await removeServer(path.join(tmpdir(), name));
  const folder = path.join(tmpdir(), `${PREFIX}${process.pid}-${randomBytes(4).toString('hex')}`);
  project.provide('postgresFolder', folder);
  return async () => {
    for (const ending of ['', '.lock', '.ready']) await removeServer(`${folder}${ending}`);
  };
}

async function removeServer(folder: string): Promise<void> {
  const pidFile = path.join(folder, 'data/postmaster.pid');
  if (existsSync(pidFile)) {
    const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
    if (isRunning(pid)) process.kill(pid, 'SIGQUIT');
    while (isRunning(pid)) await setTimeout(20);
  }
  rmSync(folder, { recursive: true, force: true });
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (cause) {
    // Not allowed to signal it: it runs as another user.
    return (cause as NodeJS.ErrnoException).code === 'EPERM';
  }
}
