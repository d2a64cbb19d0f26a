import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Failure } from '../../core/failure.ts';

const BUNDLE = 'team-server.js';

/** Loads the server from its own bundle, so that no other bundle carries PostgreSQL. Passes it the folders in which npm installs packages. */
export function loadTeamServer<Host, Request, Outcome>(programs: string): (host: Host, request: Request) => Promise<Outcome> {
  const load = createRequire(join(programs, BUNDLE));
  try {
    const { runTeamServer } = load(`./${BUNDLE}`) as {
      runTeamServer: (host: Host & { readonly packages: readonly string[] }, request: Request) => Promise<Outcome>;
    };
    return (host, request) => runTeamServer({ ...host, packages: load.resolve.paths('pg') ?? [] }, request);
  } catch (cause) {
    throw new Failure('READ_ERROR', 'The team server is missing from this installation.', { hint: 'reinstall holdfast', cause });
  }
}
