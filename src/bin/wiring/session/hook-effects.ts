import { statSync } from 'node:fs';
import { isFile } from '../../../adapters/episodes/find.ts';
import { join, resolve } from 'node:path';
import { realPath } from '../../../adapters/files/containment.ts';
import type { DraftingService } from '../../../app/drafting/service.ts';
import type { Episodes } from '../../../app/episodes/episodes.ts';
import type { HookEffects } from '../../../app/hooks/answer.ts';
import type { MaterialOptions } from '../../../app/hooks/material.ts';
import type { Memory } from '../../../app/memory/memory.ts';
import type { Client } from '../../../core/episode/episode.ts';
import { TOO_LONG, type Transcripts } from '../../../core/ports/episodes.ts';
import { placesIn } from '../../../adapters/files/home-layout.ts';
import type { OpenProject } from '../open-project.ts';

export interface HookEffectsRequest {
  readonly home: string;
  readonly cwd: string;
  readonly client: Client;
  readonly reader: () => Promise<MaterialOptions['reader']>;
  readonly project: OpenProject['project'];
  readonly memory: Memory;
  readonly episodes: () => Promise<Episodes>;
  readonly drafting: () => Promise<DraftingService>;
  readonly agent: HookEffects['agent'];
  /** Where our programs lie, as the client's texts name it. */
  readonly programs?: string;
}

const NOTHING_YET: Transcripts = {
  open: (_, from) => ({ next: () => undefined, look: () => undefined, start: from, end: from, whole: true, anchor: () => '', close: () => {} }),
};

/** What hooks touch beside the memory: transcripts, links, the folders that are guarded, drafts. */
export function hookEffectsFor({ home, cwd, client, reader, project, memory, episodes, drafting, agent, programs }: HookEffectsRequest): HookEffects {
  const places = placesIn(home);
  const roots = [project.privateRoot, ...(project.sharedRoot === undefined ? [] : [project.sharedRoot]), places.userRoot];
  return {
    realPath: (file) => realPath(resolve(cwd, file)),
    guarded: {
      roots: roots.map(realPath),
      staging: realPath(places.staging),
      projects: realPath(places.projects),
      state: realPath(places.ownState),
      drafts: realPath(memory.config.get('staging.dir').trim() || places.staging),
      ...(programs !== undefined && { programs }),
    },
    lastLines: (transcript) => linesAtEnd(resolve(cwd, transcript)),
    episodeOf: async (transcript) => {
      if (!isFile(resolve(cwd, transcript))) return undefined;
      const chosen = await (await episodes()).choose({ transcript });
      return chosen.ok ? chosen.value.episode : undefined;
    },
    material: async (asked) => {
      const path = resolve(cwd, asked.path);
      const { newMaterial } = await import('../../../app/hooks/material.ts');
      const { Exclusion } = await import('../../../capture/cleaning/exclude.ts');
      const { transcriptFiles } = await import('../../../adapters/episodes/lines.ts');
      // In print mode some versions write the transcript only after the turn; what ended it is known all the same.
      return newMaterial(isFile(path) ? transcriptFiles : NOTHING_YET, {
        ...asked,
        path,
        client,
        reader: await reader(),
        project: project.path,
        exclusion: new Exclusion(memory.config.get('capture.exclude'), project.path),
      });
    },
    saveReport: async (...asked) => (await drafting()).saveReport(...asked),
    stage: async (episode) => (await drafting()).stage(memory, episode),
    agent,
  };
}

/** A compaction further back than this is one that was long recovered from. */
const TAIL_BYTES = 4 << 20;

async function linesAtEnd(path: string): Promise<readonly string[]> {
  if (!isFile(path)) return [];
  const { transcriptFiles } = await import('../../../adapters/episodes/lines.ts');
  const { size } = statSync(path);
  const lines = transcriptFiles.open(path, Math.max(0, size - TAIL_BYTES));
  const found: string[] = [];
  for (let line = lines.next(); line !== undefined; line = lines.next()) if (line !== TOO_LONG) found.push(line);
  lines.close();
  return found;
}

/** Without a server to call, the command line saves; this program knows where it lies. */
export const stagedDraftsCommand = (session: string): string =>
  `node ${JSON.stringify(join(import.meta.dirname, 'cli.js'))} drafts ${JSON.stringify(session)} --staged`;
