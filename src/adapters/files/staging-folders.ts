import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Leftovers, Staging, StagingFolders } from '../../core/ports/staging.ts';
import { safeSessionId } from '../../core/project/filename.ts';
import type { Result } from '../../core/result.ts';
import { isInside } from './containment.ts';
import { StagedLeftovers } from './leftovers.ts';
import { FileStaging } from './staging.ts';

/** A private staging folder for each session, or the one folder that the settings name. */
export class HomeStaging implements StagingFolders {
  readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  ofSession(sessionId: string | undefined, named: string): Staging {
    if (named !== '') return new FileStaging(named, false);
    const safe = safeSessionId(sessionId ?? '');
    return new FileStaging(join(this.root, safe.ok ? safe.value : 'unnamed'), true);
  }

  putFile(path: string, named: string, text: string): Promise<Result<string>> {
    // A draft may also lie in the system's temporary folder, which other users share.
    const isPrivate = named === '' && isInside(this.root, path);
    return new FileStaging(dirname(path), isPrivate).put(basename(path), text);
  }

  leftovers(named: string): Leftovers {
    return named === '' ? new StagedLeftovers(this.root, true) : new StagedLeftovers(named, false);
  }

  exists(path: string): boolean {
    return existsSync(path);
  }
}
