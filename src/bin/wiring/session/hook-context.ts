import { readSessionText } from '../../../adapters/files/project-folders.ts';
import type { HookContext } from '../../../app/hooks/hook-context.ts';
import { isStarted, switchOf } from '../../../app/project/switch.ts';
import type { Clock } from '../../../core/ports/host.ts';
import type { MemoryParts, LockTimeouts } from '../open-memory.ts';
import type { LocatedProject } from '../../../app/project/locate.ts';
import { locateOn } from '../locate.ts';
import { openLocated, type OpenProject } from '../open-project.ts';
import { recallContextFor, type OpenRecallContext } from '../open-recall.ts';
import { sessionNotesOf } from '../locate.ts';

export interface HookEnvironment {
  readonly home: string;
  readonly now: Clock;
  /** Clients that tell when they compact need no breadcrumb. */
  readonly client: string;
  readonly patience?: LockTimeouts;
  readonly overrides?: MemoryParts['overrides'];
}

/** The client that has our server beside its hooks. */
const SERVED_CLIENT = 'claude-code';
const REPORTING: ReadonlySet<string> = new Set(['claude-code', 'codex']);

export function hookContextOver(opened: OpenProject, { recallContext }: OpenRecallContext, { home, client }: HookEnvironment): HookContext {
  const { memory, project } = opened;
  return {
    memory,
    recallContext: { ...recallContext, asksBy: client === SERVED_CLIENT ? 'tools' : 'commands' },
    switched: switchOf(memory.config, isStarted(readSessionText(project.privateRoot))),
    notes: sessionNotesOf(home, project.key),
    reportsCompaction: REPORTING.has(client),
  };
}

export interface OpenHookContext {
  readonly context: HookContext;
  readonly project: OpenProject['project'];
  /** For a process that is about to end. */
  leave(): Promise<void>;
}

/** Everything one hook needs, for a process that answers only this one. */
export function openHookContext(cwd: string, around: HookEnvironment): OpenHookContext | undefined {
  const located = locateOn(cwd, around);
  return located && openHookContextOf(located, around);
}

export function openHookContextOf(located: LocatedProject, around: HookEnvironment): OpenHookContext {
  const opened = openLocated(located, around);
  const recallContext = recallContextFor(opened, around);
  return {
    context: hookContextOver(opened, recallContext, around),
    project: opened.project,
    leave: async () => {
      await recallContext.close();
      await opened.leave();
    },
  };
}
