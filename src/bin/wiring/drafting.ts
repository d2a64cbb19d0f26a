import { join } from 'node:path';
import { placesIn } from '../../adapters/files/home-layout.ts';
import { LedgerFile } from '../../adapters/files/token-ledger.ts';
import { SessionNoteFiles } from '../../adapters/files/session-states.ts';
import { HomeStaging } from '../../adapters/files/staging.ts';
import { readCommits, seenCommitFile } from '../../adapters/git/history.ts';
import { repositoryHolding } from '../../adapters/git/repository.ts';
import { openModel } from '../../adapters/model/open.ts';
import { md5 } from '../../adapters/process/environment.ts';
import type { Clock, Environment } from '../../core/ports/host.ts';
import { openDatabase } from '../../adapters/sqlite/binding.ts';
import { draftingService, type DraftingService } from '../../app/drafting/service.ts';

export interface OpenDraftingRequest {
  readonly home: string;
  readonly env: Environment;
  readonly now: Clock;
}

/** Drafting under one home, with real models, git and staging folders. */
export function openDrafting({ home, env, now }: OpenDraftingRequest): DraftingService {
  const places = placesIn(home);
  return draftingService({
    openModel: (config) => {
      const variable = config.get('model.keyVariable').trim();
      return openModel(config, { key: variable === '' ? undefined : env[variable], env, cwd: places.headlessClient });
    },
    budget: new LedgerFile({ file: places.tokens, openDatabase, now, newId: () => process.getBuiltinModule('node:crypto').randomUUID() }),
    staging: new HomeStaging(places.staging),
    notes: (key) => new SessionNoteFiles(join(places.state(key), 'sessions'), md5),
    history: (folder, key) => {
      const repository = repositoryHolding(folder);
      if (!repository) return undefined;
      return { commits: (query) => readCommits(repository, query, process.env), seen: seenCommitFile(join(places.state(key), 'git-seen')) };
    },
    processName: String(process.pid),
  });
}
