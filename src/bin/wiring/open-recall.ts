import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ownText } from '../../adapters/files/outside/own.ts';
import { currentBranch } from '../../adapters/git/refs.ts';
import { repositoryHolding } from '../../adapters/git/repository.ts';
import { newestSessions } from '../../adapters/sqlite/episodes/schema.ts';
import { SqliteInjectionLog } from '../../adapters/sqlite/injections.ts';
import type { Memory } from '../../app/memory/memory.ts';
import type { RecallContext, LayerText } from '../../app/recall/recall-context.ts';
import { itemRanking } from '../../app/recall/ranking.ts';
import { FILE_BYTES } from '../../core/limits.ts';
import type { Clock } from '../../core/ports/host.ts';
import type { InjectionLog } from '../../core/ports/injection-log.ts';
import type { RankRecords } from '../../recall/gate/port.ts';
import { findHashFolder } from '../../adapters/files/layer-folder.ts';
import { ownHashFolder } from '../../app/memory-files/context-file.ts';
import { EPISODES_FILE, INJECTIONS_FILE, placesIn } from '../../adapters/files/home-layout.ts';
import { openUser, type Opening, type OpenProject } from './open-project.ts';

/** Among so many there is one of the branch at hand, or none lately. */
const SESSIONS = 20;

export interface OpenRecallContext {
  readonly recallContext: RecallContext;
  close(): Promise<void>;
}

/** What a ranking is made from. */
export interface RankingParts {
  readonly memories: readonly Memory[];
  readonly log: InjectionLog;
  readonly home: string;
  readonly key: string;
  readonly now: Clock;
  readonly branch?: string;
}

export interface OpenRanking {
  readonly ranking: RankRecords;
  close?(): void;
}

const ofRecords = ({ memories, log }: RankingParts): OpenRanking => ({ ranking: itemRanking(memories, log) });

/** Where the work on a project stands: its checkout, its injection log, the user's own memory. */
export function recallContextFor({ memory, project }: OpenProject, around: Opening, rank: (parts: RankingParts) => OpenRanking = ofRecords): OpenRecallContext {
  const { home, now } = around;
  const places = placesIn(home);
  const log = new SqliteInjectionLog(join(places.state(project.key), INJECTIONS_FILE));
  const user = existsSync(places.userRoot) ? openUser(around) : undefined;
  const memories: Memory[] = user ? [memory, user.memory] : [memory];
  const branch = branchOf(project.worktree);
  const ranked = rank({ memories, log, home, key: project.key, now, ...(branch !== undefined && { branch }) });
  return {
    recallContext: {
      log,
      ranking: ranked.ranking,
      ...(user && { user: user.memory }),
      ...(branch !== undefined && { branch }),
      changedAt: (path) => statSync(resolve(project.worktree, path), { throwIfNoEntry: false })?.mtimeMs,
      layer: (name) =>
        textAt(join(name === 'MEMORY.md' ? home : (ownHashFolder(findHashFolder(home, project.hash), project.path) ?? project.privateRoot), name)),
      sessions: () => newestSessions(join(places.state(project.key), EPISODES_FILE), SESSIONS),
      workspace: async () => textAt(join(home, 'workspace.md'))?.text,
    },
    close: async () => {
      log.close();
      ranked.close?.();
      await user?.close();
    },
  };
}

const textAt = (file: string): LayerText | undefined => (existsSync(file) ? ownText(file, FILE_BYTES.memory) : undefined);

function branchOf(worktree: string): string | undefined {
  const repository = repositoryHolding(worktree);
  return repository && currentBranch(repository);
}
