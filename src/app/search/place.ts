import type { InjectionLog } from '../../core/ports/injection-log.ts';
import type { Memory } from '../memory/memory.ts';
import type { ProjectMessages } from './messages.ts';
import type { SearchPlace } from './search.ts';

export interface OpenPlace extends SearchPlace {
  close(): void;
}

export interface PlaceRequest {
  readonly memory: Memory;
  /** Undefined where the project has no conversations. */
  readonly openMessages: (key: string) => Promise<ProjectMessages | undefined>;
  readonly log?: Pick<InjectionLog, 'receptionOf'> | undefined;
  readonly distance?: number;
}

/** A project as a search sees it: its memory, its conversations once they are asked for, and how its records were received. */
export function searchPlace({ memory, openMessages, log, distance = 0 }: PlaceRequest): OpenPlace {
  let messages: ProjectMessages | undefined;
  return {
    memory,
    distance,
    messages: async () => (messages ??= await openMessages(memory.key))?.openRepaired(),
    ...(log && { log }),
    close: () => messages?.close(),
  };
}
