import type { Environment } from '../../core/ports/host.ts';
import type { DraftingService } from '../../app/drafting/service.ts';
import type { HookServices } from '../../app/hooks/effects.ts';
import type { EmbedderSetup } from '../../core/ports/embedding.ts';
import type { Machine, SessionMachine } from '../../core/ports/machine.ts';
import type { EpisodesRequest, openEpisodes } from './episodes.ts';

export interface ServicesRequest {
  readonly machine: Pick<Machine, 'home' | 'now'>;
  readonly env: Environment;
  readonly homeNamed: boolean;
}

type LoadedEpisodes = ReturnType<typeof openEpisodes>;

/** Loads conversations on demand, because few runs need them. */
export const loadEpisodes = async (
  { machine: { home, now }, env, homeNamed }: ServicesRequest,
  project: Pick<EpisodesRequest, 'projectNamed' | 'current'>,
): Promise<LoadedEpisodes> => (await import('./episodes.ts')).openEpisodes({ home, now, env, homeNamed, ...project });

export const loadDrafting = async ({ machine: { home, now }, env }: Omit<ServicesRequest, 'homeNamed'>): Promise<DraftingService> =>
  (await import('./drafting.ts')).openDrafting({ home, now, env });

/** Installs and removes the sentence model. */
export async function loadEmbedderSetup(machine: SessionMachine, env: Environment, cwd: string): Promise<EmbedderSetup> {
  const { modelSetup } = await import('../../adapters/model/embed/setup.ts');
  const { removeVectors } = await import('../../adapters/files/leftovers.ts');
  const setup = modelSetup({ folder: machine.places.embedder, env, removeVectors: () => removeVectors(machine.home) });
  return { ...setup, embedInBackground: () => machine.startBackground({ cwd, onlyEmbeds: true }) };
}

/** Services that hooks load when they first need them. */
export function hookServices(request: ServicesRequest, current: EpisodesRequest['current']): HookServices & { close(): Promise<void> } {
  let episodes: LoadedEpisodes | undefined;
  return {
    episodes: async () => (episodes ??= await loadEpisodes(request, { projectNamed: false, current })),
    drafting: () => loadDrafting(request),
    transcripts: async () => (await import('../../adapters/episodes/lines.ts')).transcriptFiles,
    close: async () => episodes?.close(),
  };
}
