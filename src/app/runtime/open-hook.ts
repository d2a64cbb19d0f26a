import type { SessionMachine } from '../../core/ports/machine.ts';
import type { HookContext } from '../hooks/hook-context.ts';
import type { Opening } from '../memory/open.ts';
import type { LocatedProject } from '../project/locate.ts';
import { openLocated, type OpenProject } from '../project/open.ts';
import { isStarted, switchOf } from '../project/switch.ts';
import { CLIENT_WITH_SERVER } from './session-edges.ts';
import { openRecallContext, type OpenRanker, type OpenRecallContext } from './open-recall.ts';

export interface HookOptions extends Opening {
  readonly client: string;
}

/** Makes the context of each event of a project that stays open: the session file may change between events. */
export function hookContexts(machine: SessionMachine, opened: OpenProject, { recallContext }: OpenRecallContext, client: string): () => HookContext {
  const { memory, project } = opened;
  const notes = machine.sessionNotes(project.key);
  const { sessionText } = machine.folders;
  return () => ({
    memory,
    recallContext: {
      ...recallContext,
      asksBy: client === CLIENT_WITH_SERVER ? 'tools' : 'commands',
      ...(client === CLIENT_WITH_SERVER && { inbox: '/memory:inbox' }),
    },
    switched: switchOf(memory.config, isStarted(sessionText(project.privateRoot))),
    notes,
    client,
  });
}

export interface OpenHookContext {
  readonly context: HookContext;
  readonly project: OpenProject['project'];
  /** Closes only what a process that is about to end has to close. */
  closeFast(): Promise<void>;
}

/** Opens what one event needs, for a process that answers only this one. */
export function openHookContext(machine: SessionMachine, located: LocatedProject, options: HookOptions, rank?: OpenRanker): OpenHookContext {
  const opened = openLocated(machine, located, options);
  const recall = openRecallContext(machine, opened, options, rank);
  return {
    context: hookContexts(machine, opened, recall, options.client)(),
    project: opened.project,
    closeFast: async () => {
      await recall.close();
      await opened.closeFast();
    },
  };
}
