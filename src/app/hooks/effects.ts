import type { Client } from '../../core/episode/episode.ts';
import type { Transcripts } from '../../core/ports/episodes.ts';
import type { SessionMachine } from '../../core/ports/machine.ts';
import type { DraftingService } from '../drafting/service.ts';
import type { Episodes } from '../episodes/episodes.ts';
import type { Memory } from '../memory/memory.ts';
import type { LocatedProject } from '../project/locate.ts';
import type { HookEffects } from './answer.ts';

/** Parts of the program that an event loads when it first needs them. */
export interface HookServices {
  episodes(): Promise<Episodes>;
  drafting(): Promise<DraftingService>;
  transcripts(): Promise<Transcripts>;
}

export interface HookEffectsRequest extends Pick<HookEffects, 'agent' | 'userPrompts'> {
  readonly cwd: string;
  readonly client: Client;
  readonly project: LocatedProject['project'];
  readonly memory: Memory;
  /** The folder of Holdfast's programs, as the client's texts name it. */
  readonly programs?: string;
}

/** What hooks use besides the memory: transcripts, real paths, guarded folders, drafts. */
export function hookEffects(machine: SessionMachine, services: HookServices, request: HookEffectsRequest): HookEffects {
  const { cwd, client, project, memory, programs, agent, userPrompts } = request;
  const { places, realPath, isFile } = machine;
  const resolve = (path: string): string => machine.folders.resolve(cwd, path);
  const roots = [project.privateRoot, ...(project.sharedRoot === undefined ? [] : [project.sharedRoot]), places.userRoot];
  return {
    realPath: (file) => realPath(resolve(file)),
    get guarded() {
      return {
        roots: roots.map(realPath),
        staging: realPath(places.staging),
        projects: realPath(places.projects),
        state: realPath(places.ownState),
        drafts: realPath(memory.config.get('staging.dir').trim() || places.staging),
        ...(programs !== undefined && { programs }),
      };
    },
    lastLines: async (transcript) => (isFile(resolve(transcript)) ? machine.lastLines(resolve(transcript)) : []),
    episodeOf: async (transcript) => {
      if (!isFile(resolve(transcript))) return undefined;
      const chosen = await (await services.episodes()).choose({ transcript });
      return chosen.ok ? chosen.value.episode : undefined;
    },
    newMessages: async (options) => {
      const path = resolve(options.path);
      const { readNewMessages, UNWRITTEN_TRANSCRIPT } = await import('./new-messages.ts');
      // In print mode some versions write the transcript only after the turn; then only its last reply is known.
      const readOptions = { ...options, path, client, project: project.path };
      return readNewMessages(isFile(path) ? await services.transcripts() : UNWRITTEN_TRANSCRIPT, readOptions, memory.config.get('capture.exclude'));
    },
    saveReport: async (...report) => (await services.drafting()).saveReport(...report),
    stage: async (episode) => (await services.drafting()).stage(memory, episode),
    agent,
    ...(userPrompts && { userPrompts }),
    ...(agent.inShell === false && { parent: machine.processes.parent }),
  };
}
