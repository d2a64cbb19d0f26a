import type { SessionStates } from '../../core/ports/session-states.ts';
import type { Memory } from '../memory/memory.ts';
import type { Bearings } from '../recall/bearings.ts';
import type { Switch } from '../switch/switch.ts';

/** What a hook works with once its project is found and its switch is known. */
export interface HookDesk {
  readonly memory: Memory;
  readonly bearings: Bearings;
  readonly switched: Switch;
  readonly notes: SessionStates;
  /** Whether the client says when it compacts. */
  readonly reportsCompaction: boolean;
}

/** Where the work of one session stands. */
export function bearingsOf({ bearings, notes }: HookDesk, session: string | undefined): Bearings {
  if (session === undefined) return bearings;
  const { open } = notes.read(session);
  return { ...bearings, workOf: async (id) => notes.read(id).work, ...(open && { open }) };
}
