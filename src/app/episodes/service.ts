import { Exclusion } from '../../capture/cleaning/exclude.ts';
import { detectFormat } from '../../capture/transcripts/detect.ts';
import type { Message } from '../../core/episode/episode.ts';
import type { Clock } from '../../core/ports/host.ts';
import type { EpisodeKeeper, EpisodePart, StoredSession, TranscriptFile, TranscriptFinder, Transcripts } from '../../core/ports/episodes.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { conversationText, readConversation } from '../bundle/conversation.ts';
import type { EpisodeProjects } from '../project/session-project.ts';
import { batchWriter } from './batch-writer.ts';
import type { ChosenEpisode, Episodes, FoundEpisode, FoundMessage, TranscriptImport, TranscriptImportOptions } from './episodes.ts';
import { importTranscripts } from './import.ts';
import type { IntakePorts } from './intake.ts';
import { PeekedLines } from './peek.ts';
import { repositoryTrace } from '../project/repository-trace.ts';
import type { ImportedProject } from './tally.ts';
import { type Episode, inOrder, messageNamed, readEpisode, readTranscript } from './read.ts';
import { type EpisodeStores, type OpenSources, restoreSources, withStore } from './store.ts';
import { removeSessions } from './excluded.ts';
import { summarizeEpisode, triageEpisode } from './summarize.ts';

/** The parts of the machine that the episodes of one home need. */
export interface EpisodesHost {
  readonly now: Clock;
  readonly stores: EpisodeStores;
  openSources(): OpenSources;
  /** Decides which project a session belongs to; `forced` gives all sessions to the current project. */
  projects(forced: boolean): EpisodeProjects;
  readonly transcripts: Transcripts;
  readonly finder: TranscriptFinder;
  readonly exists: (path: string) => boolean;
  /** Writes in a second thread, where there can be one. */
  threadWriter(): EpisodeKeeper | undefined;
  readonly lowBytes: NonNullable<IntakePorts['lowBytes']>;
  /** The most memory that the process held. */
  peakBytes(): number;
  /** Whether the project was named. */
  readonly projectNamed: boolean;
  /** The current project; opened only when something needs it. */
  readonly current: () => Promise<{ readonly key: string; readonly path: string }>;
}

/** With this many new bytes, a second thread saves more time than its start costs. */
const WORTH_A_THREAD = 3_000_000;
const PROGRESS_MS = 100;
const PARTS_AT_ONCE = 500;
/** Begins the id of a commit's unit. */
const COMMIT = 'commit-';
const SHORTEST_PREFIX = 4;
const MESSAGES_COMPARED = 20;
const IMPORT_HINT = 'holdfast import brings transcripts in; holdfast timeline lists the sessions of a project';

/** Imports, finds and reads the conversations under one home. */
export class EpisodesService implements Episodes {
  readonly #host: EpisodesHost;
  readonly #projects: EpisodeProjects;
  #opened: OpenSources | undefined;

  readonly parseConversation = readConversation;
  readonly triage = triageEpisode;
  readonly summarize = summarizeEpisode;

  constructor(host: EpisodesHost) {
    this.#host = host;
    this.#projects = host.projects(false);
  }

  async import(options: TranscriptImportOptions): Promise<Result<TranscriptImport>> {
    const files = await this.#filesFor(options);
    return files.ok ? ok(await this.#import(files.value, options)) : files;
  }

  async find(sessionId: string): Promise<Result<FoundEpisode>> {
    const commit = sessionId.startsWith(COMMIT) ? await this.#commit(sessionId) : undefined;
    if (commit !== undefined) return ok(commit);
    const id = fullSessionId(this.#sources, sessionId);
    if (!id.ok) return id;
    const key = this.#sources.projectOf(id.value) ?? '';
    const exclusion = await this.#exclusionOf(key);
    const episode = withStore(this.#host.stores, key, ({ index, archive }) => {
      const session = index.session(id.value);
      return session && { project: key, session, episode: readEpisode(archive, this.#host.transcripts, session, exclusion) };
    });
    return episode === undefined ? refuse('NOT_FOUND', `Session ${sessionId} was never imported.`, { hint: IMPORT_HINT }) : ok(episode);
  }

  async findMessage(id: string): Promise<Result<FoundMessage>> {
    const { key } = await this.#host.current();
    const message = messageNamed(id, withStore(this.#host.stores, key, ({ index }) => index.messagesLike(id, MESSAGES_COMPARED)) ?? []);
    if (!message.ok) return message;
    const found = await this.find(message.value.sessionId);
    return found.ok ? ok({ ...found.value, messageId: message.value.messageId }) : found;
  }

  async recent(limit: number, project?: string): Promise<readonly StoredSession[]> {
    const key = project ?? (await this.#host.current()).key;
    return withStore(this.#host.stores, key, ({ index }) => index.sessions(limit)) ?? [];
  }

  async choose({ session, transcript }: { readonly session?: string; readonly transcript?: string }): Promise<Result<ChosenEpisode>> {
    if (transcript !== undefined) return this.#fromTranscript(transcript);
    const id = session ?? (await this.recent(1))[0]?.facts.sessionId;
    if (id === undefined) return refuse('NOT_FOUND', 'This project has no sessions yet.', { hint: IMPORT_HINT });
    const newerTranscript = await this.#notYetImported(id);
    if (newerTranscript === undefined) return this.find(id);
    const chosen = await this.#fromTranscript(newerTranscript);
    const project = this.#sources.projectOf(id);
    return chosen.ok ? ok({ ...chosen.value, ...(project !== undefined && { project }) }) : chosen;
  }

  *all(key: string): Generator<Episode> {
    const { stores, transcripts } = this.#host;
    if (!stores.has(key)) return;
    const { store, close } = stores.open(key);
    try {
      for (const session of store.index.sessions(-1)) yield readEpisode(store.archive, transcripts, session, new Exclusion([]));
    } finally {
      close();
    }
  }

  *conversationTexts(key: string): Generator<{ readonly session: string; readonly text: string }> {
    for (const episode of this.all(key)) yield { session: episode.facts.sessionId, text: conversationText(episode) };
  }

  newestCommit(project: string): string | undefined {
    return withStore(this.#host.stores, project, ({ index }) => index.newestCommit()?.facts.sessionId.slice(COMMIT.length));
  }

  async storeParts(project: string, parts: readonly EpisodePart[]): Promise<number> {
    const { archiveBytes } = await this.#projects.byKey(project);
    const keeper = batchWriter((key) => this.#host.stores.open(key));
    try {
      let messages = 0;
      for (let from = 0; from < parts.length; from += PARTS_AT_ONCE) {
        const stored = await keeper.take([{ key: project, archiveBytes, parts: parts.slice(from, from + PARTS_AT_ONCE) }]);
        messages += stored.reduce((sum, one) => sum + one.messages, 0);
      }
      if (parts.length > 0) await keeper.settle();
      return messages;
    } finally {
      await keeper.close();
    }
  }

  async importConversations(project: string, archiveBytes: number, conversations: readonly Episode[]): Promise<number> {
    // A session that belongs to another project here stays there.
    return conversations.length === 0 ? 0 : this.#take(conversations, archiveBytes, (id) => this.#sources.claim(id, project));
  }

  async copyConversations(from: string, to: string): Promise<{ readonly sessions: number; readonly messages: number }> {
    const { archiveBytes } = await this.#projects.byKey(to);
    let sessions = 0;
    const messages = await this.#take(this.all(from), archiveBytes, (id) => {
      sessions += 1;
      this.#sources.give(id, to);
      return to;
    });
    return { sessions, messages };
  }

  async returnConversations(from: string, to: string): Promise<number> {
    const ids = withStore(this.#host.stores, from, ({ index }) => index.sessions(-1).map(({ facts }) => facts.sessionId)) ?? [];
    const { stores } = this.#host;
    if (ids.length === 0 || !stores.has(to)) return 0;
    const { store, close } = stores.open(to);
    try {
      // The next import restores messages that are not archived, from transcripts that still exist.
      this.#sources.forget();
      await removeSessions(store, new Set(ids));
    } finally {
      close();
    }
    for (const id of ids) this.#sources.give(id, from);
    return ids.length;
  }

  async #take(conversations: Iterable<Episode>, archiveBytes: number, ownerOf: (sessionId: string) => string): Promise<number> {
    const keeper = batchWriter((key) => this.#host.stores.open(key));
    try {
      let messages = 0;
      for (const { facts, entries } of conversations) {
        const stored = await keeper.take([{ key: ownerOf(facts.sessionId), archiveBytes, parts: [{ facts, source: '', entries }] }]);
        messages += stored.reduce((sum, one) => sum + one.messages, 0);
      }
      await keeper.settle();
      return messages;
    } finally {
      await keeper.close();
    }
  }

  async close(): Promise<void> {
    this.#opened?.close();
  }

  get #sources(): OpenSources {
    return (this.#opened ??= restoreSources(this.#host.openSources(), this.#host.stores));
  }

  /** A commit of the current project, as the index holds it. */
  async #commit(sessionId: string): Promise<FoundEpisode | undefined> {
    const { key } = await this.#host.current();
    return withStore(this.#host.stores, key, ({ index }) => {
      const [session, other] = index.commitsLike(sessionId, 2);
      if (session === undefined || other !== undefined) return undefined;
      const { facts } = session;
      const entry: Message = {
        id: facts.sessionId.slice(COMMIT.length),
        sessionId: facts.sessionId,
        role: 'assistant',
        text: index.textOf(session.unit),
        ...(facts.endedAt !== undefined && { at: facts.endedAt }),
      };
      return { project: key, session, episode: { facts, entries: [entry], whole: true } };
    });
  }

  async #exclusionOf(key: string): Promise<Exclusion> {
    const { exclude, folder } = await this.#projects.byKey(key);
    return new Exclusion(exclude, folder);
  }

  /** The main session of a transcript: the one with the most entries. */
  async #fromTranscript(path: string): Promise<Result<ChosenEpisode>> {
    const { transcripts, exists, current } = this.#host;
    const exclusion = await this.#exclusionOf((await current()).key);
    if (!exists(path)) return refuse('NOT_FOUND', `No file ${path} found.`, { hint: 'name a transcript that exists' });
    const lines = transcripts.open(path, 0);
    const client = detectFormat(new PeekedLines(lines).firstLines(), path);
    lines.close();
    if (client === undefined)
      return refuse('INPUT_ERROR', `${path} is not a transcript of a known client.`, {
        hint: 'known: Claude Code, Codex, Gemini CLI, opencode, and chats of one JSON object a line',
      });
    const sessions = [...readTranscript(transcripts, path, client, exclusion).values()];
    const [main] = sessions.toSorted((a, b) => b.entries.length - a.entries.length);
    if (main === undefined) return refuse('INPUT_ERROR', `${path} holds no session.`);
    return ok({ episode: { facts: main.facts, entries: inOrder(main.entries), whole: true } });
  }

  /** The transcript of a session of this project, if it holds more than was imported, as that of a running session does. */
  async #notYetImported(id: string): Promise<string | undefined> {
    if (!/^[\w-]+$/.test(id)) return undefined;
    const file = this.#host.finder.ofSession((await this.#host.current()).path, id);
    return file !== undefined && file.size > (this.#sources.state(file.path)?.offset ?? 0) ? file.path : undefined;
  }

  async #absence(key: string): Promise<Pick<ImportedProject, 'absent' | 'clone'>> {
    const { folder } = await this.#projects.byKey(key);
    if (folder === undefined || this.#host.exists(folder)) return {};
    const clone = await this.#projects.cloneOf(key, () => repositoryTrace(this.all(key)));
    return { absent: folder, ...(clone !== undefined && { clone }) };
  }

  /** The files at the given paths; without paths, the transcripts of this machine, or those of the named project. */
  async #filesFor({ paths }: TranscriptImportOptions): Promise<Result<readonly TranscriptFile[]>> {
    const { finder, projectNamed, current } = this.#host;
    if (paths.length === 0) return ok(finder.ofClients(projectNamed ? (await current()).path : undefined));
    const { files, missing } = finder.at(paths);
    return missing.length === 0
      ? ok(files)
      : refuse('NOT_FOUND', `No file or folder ${missing.join(', ')} found.`, { hint: 'give files or folders that exist' });
  }

  async #import(files: readonly TranscriptFile[], options: TranscriptImportOptions): Promise<TranscriptImport> {
    const { now, stores, transcripts, lowBytes, projectNamed } = this.#host;
    const sources = this.#sources;
    const started = now();
    const total = files.reduce((sum, { size }) => sum + size, 0);
    const newBytes = files.reduce((sum, { path, size }) => sum + Math.max(0, size - (sources.state(path)?.offset ?? 0)), 0);
    const keeper = (newBytes > WORTH_A_THREAD ? this.#host.threadWriter() : undefined) ?? batchWriter((key) => stores.open(key));
    const projects = this.#host.projects(projectNamed && options.paths.length > 0);
    let reported = started;
    const onProgress = (done: number): void => {
      if (options.onProgress === undefined || now() - reported < PROGRESS_MS) return;
      reported = now();
      options.onProgress({ done, total, seconds: (reported - started) / 1_000 });
    };
    try {
      const report = await importTranscripts(
        { transcripts, sources, keeper, projects, lowBytes },
        { files, onProgress, ...(options.format !== undefined && { format: options.format }) },
      );
      const projectsWithFolders = await Promise.all(report.projects.map(async (one) => ({ ...one, ...(await this.#absence(one.key)) })));
      return { ...report, projects: projectsWithFolders, seconds: (now() - started) / 1_000, peakBytes: this.#host.peakBytes() };
    } finally {
      await keeper.close();
    }
  }
}

function fullSessionId(sources: OpenSources, word: string): Result<string> {
  if (sources.projectOf(word) !== undefined) return ok(word);
  const like = word.length < SHORTEST_PREFIX ? [] : sources.like(word, 2);
  if (like[0] === undefined) return refuse('NOT_FOUND', `No session ${word} found.`, { hint: IMPORT_HINT });
  return like.length === 1 ? ok(like[0]) : refuse('AMBIGUOUS_ID', `Several sessions begin with ${word}.`, { hint: `such as ${like.join(' and ')}` });
}
