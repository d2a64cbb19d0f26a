import type { Clock } from '../../core/ports/host.ts';
import type { InjectionLog } from '../../core/ports/injection-log.ts';
import type { SessionMachine } from '../../core/ports/machine.ts';
import type { RankRecords } from '../../recall/gate/port.ts';
import { ownHashFolder } from '../memory-files/context-file.ts';
import type { Memory } from '../memory/memory.ts';
import type { Opening } from '../memory/open.ts';
import { openUser, type OpenProject } from '../project/open.ts';
import { itemRanking } from '../recall/ranking.ts';
import type { RecallContext } from '../recall/recall-context.ts';

/** How many recent sessions are searched for one of the current branch. */
const RECENT_SESSIONS = 20;
/** Last answers of so many sessions are shown: several short outcomes help more than one long one. */
const MAX_ANSWERS = 6;

export interface OpenRecallContext {
  readonly recallContext: RecallContext;
  close(): Promise<void>;
}

/** The inputs of a ranking. */
export interface RankingParts {
  readonly memories: readonly Memory[];
  readonly log: InjectionLog;
  readonly key: string;
  readonly now: Clock;
  readonly branch?: string;
}

export interface OpenRanking {
  readonly ranking: RankRecords;
  readonly exchanges?: RecallContext['exchanges'];
  close?(): void;
}

export type OpenRanker = (parts: RankingParts) => OpenRanking;

const rankOnlyRecords: OpenRanker = ({ memories, log }) => ({ ranking: itemRanking(memories, log) });

/** Opens what recall and the brief use besides a project's memory: its checkout, its injection log, the user's own memory. */
export function openRecallContext(
  machine: SessionMachine,
  { memory, project }: OpenProject,
  opening: Opening = {},
  rank: OpenRanker = rankOnlyRecords,
): OpenRecallContext {
  const { home, places, now } = machine;
  const { key } = project;
  const log = machine.openInjections(key);
  const user = machine.folders.exists(places.userRoot) ? openUser(machine, opening) : undefined;
  const memories: Memory[] = user ? [memory, user.memory] : [memory];
  const checkout = machine.checkout(project.worktree);
  const branch = checkout.branch();
  const ranked = rank({ memories, log, key, now, ...(branch !== undefined && { branch }) });
  const projectFolder = (): string => ownHashFolder(machine.hashFolder(project.hash), project.path) ?? project.privateRoot;
  return {
    recallContext: {
      log,
      ranking: ranked.ranking,
      ...(ranked.exchanges && { exchanges: ranked.exchanges }),
      ...(user && { user: user.memory }),
      ...(branch !== undefined && { branch }),
      changedAt: (path) => checkout.changedAt(path),
      layer: (name) => machine.ownText(name === 'MEMORY.md' ? home : projectFolder(), name),
      failures: (action) => machine.failures(key, action),
      typedRules: () => machine.typedRules(key),
      conversations: () => machine.digestConversations(key, RECENT_SESSIONS, MAX_ANSWERS),
      workspace: async () => machine.ownText(home, 'workspace.md')?.text,
    },
    close: async () => {
      log.close();
      ranked.close?.();
      await user?.close();
    },
  };
}
