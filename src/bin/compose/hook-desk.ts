import type { HookDesk } from '../../app/hooks/desk.ts';
import { switchOf } from '../../app/switch/switch.ts';
import type { Clock } from '../../core/ports/host.ts';
import type { MemoryParts, LockTimeouts } from './memory.ts';
import { isStarted, type LocatedProject, locateOn } from '../wiring/locate.ts';
import { openLocated, type ProjectMemory } from './project.ts';
import { bearingsFor, type OpenBearings } from './recall.ts';
import { sessionNotesOf } from './session-notes.ts';

export interface HookEnvironment {
  readonly home: string;
  readonly now: Clock;
  /** Clients that tell when they compact need no breadcrumb. */
  readonly client: string;
  readonly patience?: LockTimeouts;
  readonly late?: MemoryParts['late'];
}

/** The client that has our server beside its hooks. */
const SERVED_CLIENT = 'claude-code';
const REPORTING: ReadonlySet<string> = new Set(['claude-code', 'codex']);

export function deskOver(opened: ProjectMemory, { bearings }: OpenBearings, { home, client }: HookEnvironment): HookDesk {
  const { memory, project } = opened;
  return {
    memory,
    bearings: { ...bearings, asksBy: client === SERVED_CLIENT ? 'tools' : 'commands' },
    switched: switchOf(memory.config, isStarted(project.privateRoot)),
    notes: sessionNotesOf(home, project.key),
    reportsCompaction: REPORTING.has(client),
  };
}

export interface OpenDesk {
  readonly desk: HookDesk;
  readonly project: ProjectMemory['project'];
  /** For a process that is about to end. */
  leave(): Promise<void>;
}

/** Everything one hook needs, for a process that answers only this one. */
export function openDesk(cwd: string, around: HookEnvironment): OpenDesk | undefined {
  const located = locateOn(cwd, around);
  return located && openDeskOf(located, around);
}

export function openDeskOf(located: LocatedProject, around: HookEnvironment): OpenDesk {
  const opened = openLocated(located, around);
  const bearings = bearingsFor(opened, around);
  return {
    desk: deskOver(opened, bearings, around),
    project: opened.project,
    leave: async () => {
      await bearings.close();
      await opened.leave();
    },
  };
}
