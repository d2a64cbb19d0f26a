import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { findTranscripts, claudeFolderName, transcriptFolders } from '../../adapters/episodes/find.ts';
import { transcriptFiles, lowBytes } from '../../adapters/episodes/lines.ts';
import { SqliteSources } from '../../adapters/sqlite/episodes/sources.ts';
import { conversationText, readConversation } from '../../app/bundle/conversation.ts';
import type { ChosenEpisode, Episodes, FoundEpisode, TranscriptImportOptions, TranscriptImport } from '../../app/episodes/episodes.ts';
import { importTranscripts } from '../../app/episodes/import.ts';
import type { EpisodeStore } from '../../app/episodes/keep.ts';
import { PeekedLines } from '../../app/episodes/peek.ts';
import { type Episode, inOrder, readEpisode, readTranscript } from '../../app/episodes/read.ts';
import { summarizeEpisode, triageEpisode } from '../../app/episodes/summarize.ts';
import { Exclusion } from '../../capture/cleaning/exclude.ts';
import { detectFormat } from '../../capture/transcripts/detect.ts';
import type { Clock } from '../../core/ports/host.ts';
import type { EpisodeKeeper, StoredSession, TranscriptFile } from '../../core/ports/episodes.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { threadWriter } from '../../adapters/process/import-thread.ts';
import { batchWriter } from '../../app/episodes/batch-writer.ts';
import { episodeProjects } from './episode-projects.ts';
import { hasEpisodes, openStore } from './episode-store.ts';
import { placesIn } from '../../adapters/files/home-layout.ts';
import { userHome } from '../wiring/environment.ts';

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

  const find = async (sessionId: string): Promise<Result<FoundEpisode>> => {
    const id = wholeId(sources(), sessionId);
    if (!id.ok) return id;
    const key = sources().projectOf(id.value) ?? '';
    const { exclude, folder } = await projects.byKey(key);
    const found = withStore(home, key, ({ index, archive }) => {
      const session = index.session(id.value);
      return session && { project: key, session, episode: readEpisode(archive, transcriptFiles, session, new Exclusion(exclude, folder)) };
    });
    return found === undefined ? refuse('NOT_FOUND', `session ${sessionId} was never imported`, { hint: IMPORT_HINT }) : ok(found);
  };
  const exclusion = async (): Promise<Exclusion> => {
    const { exclude, folder } = await projects.byKey((await request.current()).key);
    return new Exclusion(exclude, folder);
  };
  const recent = async (limit: number, project?: string): Promise<readonly StoredSession[]> =>
    withStore(home, project ?? (await request.current()).key, ({ index }) => index.sessions(limit)) ?? [];

  return {
    import: async (asked) => {
      const found = await filesFor(request, asked);
      if (!found.ok) return found;
      return ok(await runImport(request, sources(), found.value, asked));
    },
    find,
    recent,
    choose: async ({ session, transcript }) => {
      if (transcript !== undefined) return fromTranscript(transcript, await exclusion());
      const id = session ?? (await recent(1))[0]?.facts.sessionId;
      if (id === undefined) return refuse('NOT_FOUND', 'this project has no sessions yet', { hint: IMPORT_HINT });
      const further = await notYetImported(request, sources(), id);
      if (further === undefined) return find(id);
      const read = fromTranscript(further, await exclusion());
      const project = sources().projectOf(id);
      return read.ok ? ok({ ...read.value, ...(project !== undefined && { project }) }) : read;
    },
    packed: (project) => packed(home, project),
    unpack: readConversation,
    takeIn: (project, archiveBytes, conversations) => takeIn(home, sources(), project, archiveBytes, conversations),
    triage: triageEpisode,
    summarize: summarizeEpisode,
    close: async () => opened?.close(),
  };
}

const IMPORT_HINT = 'holdfast import brings transcripts in; holdfast timeline lists the sessions of a project';

/** Works on a project's episodes; undefined where it has none. */
function withStore<T>(home: string, key: string, work: (store: EpisodeStore) => T): T | undefined {
  if (!hasEpisodes(home, key)) return undefined;
  const { store, close } = openStore(home, key);
  try {
    return work(store);
  } finally {
    close();
  }
}

function* packed(home: string, key: string): Generator<{ readonly session: string; readonly text: string }> {
  if (!hasEpisodes(home, key)) return;
  const { store, close } = openStore(home, key);
  try {
    for (const session of store.index.sessions(-1))
      yield { session: session.facts.sessionId, text: conversationText(readEpisode(store.archive, transcriptFiles, session, new Exclusion([]))) };
  } finally {
    close();
  }
}

async function takeIn(home: string, sources: SqliteSources, project: string, archiveBytes: number, conversations: readonly Episode[]): Promise<number> {
  if (conversations.length === 0) return 0;
  const keeper = batchWriter((key) => openStore(home, key));
  try {
    let messages = 0;
    for (const { facts, entries } of conversations) {
      // A session that is another project's here stays that one's.
      const key = sources.claim(facts.sessionId, project);
      const kept = await keeper.take([{ key, archiveBytes, parts: [{ facts, source: '', entries }] }]);
      messages += kept.reduce((sum, one) => sum + one.messages, 0);
    }
    await keeper.settle();
    return messages;
  } finally {
    await keeper.close();
  }
}

/** The session that a transcript is about: the one it says most of. */
function fromTranscript(path: string, exclusion: Exclusion): Result<ChosenEpisode> {
  if (!existsSync(path)) return refuse('NOT_FOUND', `there is no ${path}`, { hint: 'name a transcript that exists' });
  const lines = transcriptFiles.open(path, 0);
  const client = detectFormat(new PeekedLines(lines).heads(), path);
  lines.close();
  if (client === undefined) return refuse('INPUT_ERROR', `${path} is no transcript of a known client`);
  const sessions = [...readTranscript(transcriptFiles, path, client, exclusion).values()];
  const [main] = sessions.toSorted((a, b) => b.entries.length - a.entries.length);
  if (main === undefined) return refuse('INPUT_ERROR', `${path} holds no session`);
  return ok({ episode: { facts: main.facts, entries: inOrder(main.entries), whole: true } });
}

/** What Claude Code wrote of a session of this project, where that is more than was imported: a session that still runs is read as far as it got. */
async function notYetImported(request: EpisodesRequest, sources: SqliteSources, id: string): Promise<string | undefined> {
  if (!/^[\w-]+$/.test(id)) return undefined;
  const name = join(claudeFolderName((await request.current()).path), `${id}.jsonl`);
  const files = transcriptFolders({ home: request.home, userHome: userHome(), env: request.env, named: request.homeNamed }).map((folder) => join(folder, name));
  const path = files.find((file) => existsSync(file));
  return path !== undefined && statSync(path).size > (sources.state(path)?.offset ?? 0) ? path : undefined;
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
  if (like[0] === undefined) return refuse('NOT_FOUND', `no session ${word} is known here`, { hint: IMPORT_HINT });
  return like.length === 1 ? ok(like[0]) : refuse('AMBIGUOUS_ID', `several sessions begin with ${word}`, { hint: `such as ${like.join(' and ')}` });
}

/** The files behind what was asked for; without paths, the transcripts of this machine, or those of the project that was named. */
async function filesFor(request: EpisodesRequest, { paths }: TranscriptImportOptions): Promise<Result<readonly TranscriptFile[]>> {
  if (paths.length > 0) {
    const { files, missing } = findTranscripts(paths);
    return missing.length === 0 ? ok(files) : refuse('NOT_FOUND', `there is no ${missing.join(', ')}`, { hint: 'give files or folders that exist' });
  }
  const folders = transcriptFolders({ home: request.home, userHome: userHome(), env: request.env, named: request.homeNamed });
  if (!request.projectNamed) return ok(findTranscripts(folders).files);
  const name = claudeFolderName((await request.current()).path);
  return ok(findTranscripts(folders.map((folder) => join(folder, name))).files);
}

async function runImport(
  request: EpisodesRequest,
  sources: SqliteSources,
  files: readonly TranscriptFile[],
  asked: TranscriptImportOptions,
): Promise<TranscriptImport> {
  const { home, now } = request;
  const started = now();
  const total = files.reduce((sum, { size }) => sum + size, 0);
  const fresh = files.reduce((sum, { path, size }) => sum + Math.max(0, size - (sources.state(path)?.offset ?? 0)), 0);
  const keeper: EpisodeKeeper = (fresh > WORTH_A_THREAD ? threadWriter(home) : undefined) ?? batchWriter((key) => openStore(home, key));
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
      { transcripts: transcriptFiles, sources, keeper, projects, lowBytes },
      { files, onProgress, ...(asked.format !== undefined && { format: asked.format }) },
    );
    return { ...report, seconds: (now() - started) / 1_000, peakBytes: process.resourceUsage().maxRSS * 1_024 };
  } finally {
    await keeper.close();
  }
}
