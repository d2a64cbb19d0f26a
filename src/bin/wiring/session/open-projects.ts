import { fingerprintOf } from '../../../adapters/files/watch.ts';
import { placesIn } from '../../../adapters/files/home-layout.ts';
import { currentBranch } from '../../../adapters/git/refs.ts';
import { repositoryHolding } from '../../../adapters/git/repository.ts';
import { itemOfFile } from '../../../app/index/item.ts';
import type { OpenProjectsHost } from '../../../app/runtime/open-projects.ts';
import { LEVELS } from '../../../core/config/spec.ts';
import { hookContextOver, type HookEnvironment } from './hook-context.ts';
import { locate } from '../locate.ts';
import { rankWithMessages } from '../open-messages.ts';
import { openLocated, openUser } from '../open-project.ts';
import { recallContextFor } from '../open-recall.ts';
import { searchNearby } from '../search-place.ts';
import { searchPlace } from '../search-place.ts';

/** An agent waits for a search. */
const NEARBY_MS = 2_000;

export interface ServerEnvironment extends HookEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Has another process repair the views of the memories around a folder: events wait for whatever is done here. */
  readonly repair?: (cwd?: string) => void;
}

/** How a server opens projects, which stay open between calls. */
export function openProjectsHost({ repair, env, ...around }: ServerEnvironment): OpenProjectsHost {
  const { home, now } = around;
  const { registry, userRoot, state } = placesIn(home);
  const over = (cwd?: string): HookEnvironment => ({
    ...around,
    overrides: { itemOf: async (file) => itemOfFile(file), ...(repair && { repairViews: async () => repair(cwd) }) },
  });
  return {
    locate: (cwd) => locate({ home, now, cwd }),
    open: (located, cwd) => {
      const opened = openLocated(located, over(cwd));
      const recall = recallContextFor(opened, over(cwd), rankWithMessages);
      const place = searchPlace(home, opened.memory, (ids) => recall.recallContext.log.feedbackOf(ids));
      return {
        ...opened,
        place,
        hook: () => {
          const context = hookContextOver(opened, recall, around);
          const { branch: _before, ...rest } = context.recallContext;
          const repository = repositoryHolding(opened.project.worktree);
          const branch = repository && currentBranch(repository);
          return { ...context, recallContext: { ...rest, ...(branch !== undefined && { branch }) } };
        },
        close: async () => {
          place.close();
          await recall.close();
          await opened.close();
        },
      };
    },
    openUser: () => openUser(over()),
    // A state folder that has come to be means an index on disk in place of one in memory.
    fingerprint: ({ config, project }) =>
      fingerprintOf([...LEVELS.map((level) => config.place(level)), registry], [userRoot, state(project.key), project.privateRoot]),
    nearby: (aside, closers) => searchNearby({ home: () => home, env, closers, withinMs: NEARBY_MS, aside }),
  };
}
