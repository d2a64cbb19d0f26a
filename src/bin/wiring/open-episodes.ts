import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { transcriptFinder } from '../../adapters/episodes/find.ts';
import { transcriptFiles } from '../../adapters/episodes/lines.ts';
import { lowBytes } from '../../adapters/episodes/lines.ts';
import { ownText } from '../../adapters/files/outside/own.ts';
import { threadWriter } from '../../adapters/process/import-thread.ts';
import { EpisodesService } from '../../app/episodes/service.ts';
import { type EpisodeProjects, type SessionProjectHost, sessionProjects } from '../../app/project/session-project.ts';
import { FILE_BYTES } from '../../core/limits.ts';
import type { Clock } from '../../core/ports/host.ts';
import { userHome } from './environment.ts';
import { episodeStores, openSources } from './episode-stores.ts';
import { foldersIn } from './locate.ts';

export interface EpisodesRequest {
  readonly home: string;
  /** Whether the home was named, and the project. */
  readonly homeNamed: boolean;
  readonly projectNamed: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: Clock;
  /** The project at hand; asked only when something needs it. */
  readonly current: () => Promise<{ readonly key: string; readonly path: string }>;
}

/** The conversations under one home, with real transcripts and databases. */
export function openEpisodes({ home, homeNamed, projectNamed, env, now, current }: EpisodesRequest): EpisodesService {
  return new EpisodesService({
    now,
    stores: episodeStores(home),
    openSources: () => openSources(home),
    projects: (forced) => episodeProjects({ home, now, forced, fallback: async () => (await current()).path }),
    transcripts: transcriptFiles,
    finder: transcriptFinder(() => ({ home, userHome: userHome(), env, named: homeNamed })),
    exists: existsSync,
    threadWriter: () => threadWriter(home),
    lowBytes,
    peakBytes: () => process.resourceUsage().maxRSS * 1_024,
    projectNamed,
    current,
  });
}

/** The projects of sessions, by what their transcripts say. */
export const episodeProjects = ({ home, ...host }: Pick<SessionProjectHost, 'now' | 'fallback' | 'forced'> & { readonly home: string }): EpisodeProjects =>
  sessionProjects({
    ...host,
    folders: foldersIn(home),
    sha256: (text) => process.getBuiltinModule('node:crypto').createHash('sha256').update(text).digest('hex'),
    geminiFolder,
  });

function geminiFolder(transcript: string): string | undefined {
  const folder = dirname(dirname(transcript));
  const note = [folder, dirname(folder)].map((one) => join(one, '.project_root')).find((file) => existsSync(file));
  return note === undefined ? undefined : ownText(note, FILE_BYTES.settings)?.text.trim();
}
