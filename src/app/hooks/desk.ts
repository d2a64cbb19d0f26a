import type { SessionStates } from '../../core/ports/session-states.ts';
import type { Memory } from '../memory/memory.ts';
import type { Bearings } from '../recall/bearings.ts';
import type { Switch } from '../switch/switch.ts';

/** What a hook has once it has found the project and read the switch. */
export interface HookDesk {
  readonly memory: Memory;
  readonly bearings: Bearings;
  readonly switched: Switch;
  readonly notes: SessionStates;
  /** Whether the client reports compactions. */
  readonly reportsCompaction: boolean;
}

/** State of one session. */
export function bearingsOf({ bearings, notes }: HookDesk, session: string | undefined): Bearings {
  if (session === undefined) return bearings;
  const { open } = notes.read(session);
  return { ...bearings, workOf: async (id) => notes.read(id).work, ...(open && { open }) };
}
