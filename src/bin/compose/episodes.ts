import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findTranscripts } from '../../adapters/episodes/find.ts';
import { transcriptFiles } from '../../adapters/episodes/lines.ts';
import { SqliteSources } from '../../adapters/sqlite/episodes-sources.ts';
import type { Episodes, FoundEpisode, ImportAsked, Imported } from '../../app/episodes/episodes.ts';
import { importTranscripts } from '../../app/episodes/import.ts';
import { readEpisode } from '../../app/episodes/read.ts';
import { Exclusion } from '../../capture/keep/exclude.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { EpisodeKeeper, TranscriptFile } from '../../core/ports/episodes.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { localKeeper, threadKeeper } from './episode-keeper.ts';
import { episodeProjects } from './episode-projects.ts';
import { hasEpisodes, openStore } from './episode-store.ts';
import { placesIn } from './places.ts';
import { claudeFolderName, transcriptFolders } from './transcript-folders.ts';

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

/** From this many new bytes a second thread is worth its start. */
const WORTH_A_THREAD = 3_000_000;
const PROGRESS_MS = 100;
const SHORTEST_PREFIX = 4;

/** What can be done with conversations under one home. */
export function openEpisodes(request: EpisodesRequest): Episodes & { close(): Promise<void> } {
  const { home, now } = request;
  let opened: SqliteSources | undefined;
  const sources = (): SqliteSources => (opened ??= openSources(home));
  const projects = episodeProjects({ home, now, forced: false, fallback: async () => (await request.current()).path });

  return {
    import: async (asked) => {
      const found = await filesFor(request, asked);
      if (!found.ok) return found;
      return ok(await runImport(request, sources(), found.value, asked));
    },
    find: async (sessionId) => {
      const id = wholeId(sources(), sessionId);
      if (!id.ok) return id;
      const key = sources().projectOf(id.value) ?? '';
      const missing = refuse('NOT_FOUND', `session ${sessionId} was never imported`, { hint: 'holdfast import brings transcripts in' });
      if (!hasEpisodes(home, key)) return missing;
      const { store, close } = openStore(home, key);
      try {
        const session = store.index.session(id.value);
        if (session === undefined) return missing;
        const { exclude, folder } = await projects.byKey(key);
        return ok<FoundEpisode>({ project: key, session, episode: readEpisode(store.archive, transcriptFiles, session, new Exclusion(exclude, folder)) });
      } finally {
        close();
      }
    },
    recent: async (limit) => {
      const { key } = await request.current();
      if (!hasEpisodes(home, key)) return [];
      const { store, close } = openStore(home, key);
      try {
        return store.index.sessions(limit);
      } finally {
        close();
      }
    },
    close: async () => opened?.close(),
  };
}

/** Which project a session belongs to is told again by the projects when it was lost. */
function openSources(home: string): SqliteSources {
  const sources = new SqliteSources(placesIn(home).sources);
  if (!sources.fresh) return sources;
  for (const key of projectsWithState(home)) {
    if (!hasEpisodes(home, key)) continue;
    const { store, close } = openStore(home, key);
    for (const { facts } of store.index.sessions(-1)) sources.claim(facts.sessionId, key);
    close();
  }
  return sources;
}

function projectsWithState(home: string): readonly string[] {
  const folder = placesIn(home).state('');
  return existsSync(folder) ? readdirSync(folder) : [];
}

function wholeId(sources: SqliteSources, word: string): Result<string> {
  if (sources.projectOf(word) !== undefined) return ok(word);
  const like = word.length < SHORTEST_PREFIX ? [] : sources.like(word, 2);
  if (like[0] === undefined)
    return refuse('NOT_FOUND', `no session ${word} is known here`, {
      hint: 'holdfast timeline lists the sessions of a project; holdfast import brings transcripts in',
    });
  return like.length === 1 ? ok(like[0]) : refuse('AMBIGUOUS_ID', `several sessions begin with ${word}`, { hint: `such as ${like.join(' and ')}` });
}

/** The files behind what was asked for; without paths, the transcripts of this machine, or those of the project that was named. */
async function filesFor(request: EpisodesRequest, { paths }: ImportAsked): Promise<Result<readonly TranscriptFile[]>> {
  if (paths.length > 0) {
    const { files, missing } = findTranscripts(paths);
    return missing.length === 0 ? ok(files) : refuse('NOT_FOUND', `there is no ${missing.join(', ')}`, { hint: 'give files or folders that exist' });
  }
  const folders = transcriptFolders({ home: request.home, env: request.env, named: request.homeNamed });
  if (!request.projectNamed) return ok(findTranscripts(folders).files);
  const name = claudeFolderName((await request.current()).path);
  return ok(findTranscripts(folders.map((folder) => join(folder, name))).files);
}

async function runImport(request: EpisodesRequest, sources: SqliteSources, files: readonly TranscriptFile[], asked: ImportAsked): Promise<Imported> {
  const { home, now } = request;
  const started = now();
  const total = files.reduce((sum, { size }) => sum + size, 0);
  const fresh = files.reduce((sum, { path, size }) => sum + Math.max(0, size - (sources.state(path)?.offset ?? 0)), 0);
  const keeper: EpisodeKeeper = (fresh > WORTH_A_THREAD ? threadKeeper(home) : undefined) ?? localKeeper(home);
  const forced = request.projectNamed && asked.paths.length > 0;
  const projects = episodeProjects({ home, now, forced, fallback: async () => (await request.current()).path });
  let told = started;
  const onProgress = (done: number): void => {
    if (asked.onProgress === undefined || now() - told < PROGRESS_MS) return;
    told = now();
    asked.onProgress({ done, total, seconds: (told - started) / 1_000 });
  };
  try {
    const report = await importTranscripts(
      { transcripts: transcriptFiles, sources, keeper, projects },
      { files, onProgress, ...(asked.format !== undefined && { format: asked.format }) },
    );
    return { ...report, seconds: (now() - started) / 1_000, peakBytes: process.resourceUsage().maxRSS * 1_024 };
  } finally {
    await keeper.close();
  }
}
