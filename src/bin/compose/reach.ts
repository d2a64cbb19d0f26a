import { join, resolve } from 'node:path';
import { realPath } from '../../adapters/files/containment.ts';
import type { HookReach } from '../../app/hooks/answer.ts';
import type { Episodes } from '../../app/episodes/episodes.ts';
import { isMessage } from '../../core/ports/episodes.ts';
import { placesIn } from './places.ts';
import type { ProjectMemory } from './project.ts';

export interface ReachRequest {
  readonly home: string;
  readonly cwd: string;
  readonly project: ProjectMemory['project'];
  readonly episodes: () => Promise<Episodes>;
}

/** What hooks touch beside the memory: transcripts, links, the folders that are guarded. */
export function reachFor({ home, cwd, project, episodes }: ReachRequest): HookReach {
  const places = placesIn(home);
  const roots = [project.privateRoot, ...(project.sharedRoot === undefined ? [] : [project.sharedRoot]), places.userRoot];
  return {
    realPath: (file) => realPath(resolve(cwd, file)),
    guarded: { roots: roots.map(realPath), staging: realPath(join(places.state(project.key), 'staging')) },
    inView: async (transcript) => {
      const chosen = await (await episodes()).choose({ transcript });
      if (!chosen.ok) return [];
      const { entries } = chosen.value.episode;
      const since = entries.findLastIndex((entry) => !isMessage(entry));
      return entries.slice(since + 1).flatMap((entry) => (isMessage(entry) && entry.role === 'assistant' ? [entry.text] : []));
    },
  };
}
