import type { Machine } from '../../core/ports/machine.ts';
import type { InjectionLog } from '../../core/ports/injection-log.ts';
import type { Memory } from '../memory/memory.ts';
import type { ProjectMessages } from './messages.ts';
import type { SearchPlace } from './search.ts';

export interface OpenPlace extends SearchPlace {
  close(): void;
}

export interface PlaceRequest {
  readonly memory: Memory;
  /** Undefined if the project has no conversations. */
  readonly openMessages: (key: string) => Promise<ProjectMessages | undefined>;
  readonly log?: Pick<InjectionLog, 'receptionOf'> | undefined;
}

/** A project as a search uses it: its memory, its conversations, opened when first used, and the feedback on its records. */
export function searchPlace({ memory, openMessages, log }: PlaceRequest): OpenPlace {
  let messages: ProjectMessages | undefined;
  return {
    memory,
    messages: async () => (messages ??= await openMessages(memory.key))?.openRepaired(),
    ...(log && { log }),
    close: () => messages?.close(),
  };
}

/** Every project by key, with its repository and its distance from a project. Clones share their remote, or else mostly the name of their folder. */
export function otherProjects({ folders }: Pick<Machine, 'folders'>, here: string): ReadonlyMap<string, Pick<SearchPlace, 'distance' | 'repository'>> {
  const { projects } = folders.registry.read();
  const repositories = new Map(projects.map(({ key, remote, path }) => [key, remote ?? path.slice(path.lastIndexOf('/') + 1).toLowerCase()]));
  return new Map([...repositories].map(([key, repository]) => [key, { repository, distance: repository === repositories.get(here) ? 0 : 1 }]));
}
