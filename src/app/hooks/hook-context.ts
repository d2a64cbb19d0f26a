import type { SessionStates } from '../../core/ports/session-states.ts';
import type { Memory } from '../memory/memory.ts';
import type { RecallContext } from '../recall/recall-context.ts';
import type { Switch } from '../project/switch.ts';

/** What a hook uses once it has found the project and read the switch. */
export interface HookContext {
  readonly memory: Memory;
  readonly recallContext: RecallContext;
  readonly switched: Switch;
  readonly notes: SessionStates;
  readonly client: string;
}

/** The recall context with the files that a session has open and the work it had before a compaction. */
export function recallContextOf({ recallContext, notes }: HookContext, session: string | undefined): RecallContext {
  if (session === undefined) return recallContext;
  const { open } = notes.read(session);
  return { ...recallContext, workOf: async (id) => notes.read(id).work, ...(open && { open }) };
}
