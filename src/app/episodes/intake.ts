import { cleanFacts, cleanMessage, cleanText } from '../../capture/cleaning/clean.ts';
import { Exclusion } from '../../capture/cleaning/exclude.ts';
import { TRANSCRIPT_LIMITS, type ReadEvent, fingerprint } from '../../capture/transcripts/event.ts';
import type { Client, SessionFacts } from '../../core/episode/episode.ts';
import {
  type EpisodeEntry,
  type EpisodeKeeper,
  type EpisodePart,
  isMessage,
  type StoredBatch,
  type ProjectBatch,
  type TranscriptSources,
  type SourceState,
} from '../../core/ports/episodes.ts';
import { isFailure } from '../../core/failure.ts';
import type { LowBytes } from '../../core/redact/scan.ts';
import { joinFacts, sizeOfEntry } from './archive-line.ts';
import type { EpisodeProject, EpisodeProjects } from '../project/session-project.ts';

/** Characters in one batch for the keeper, and characters after which all batches are committed. */
export interface IntakeSizes {
  readonly batch: number;
  readonly settled: number;
}

/** Each commit rewrites the ends of the term lists, so many messages are committed together. */
const SIZES: IntakeSizes = { batch: 500_000, settled: 10_000_000 };
/** Batches that may wait for the keeper. */
const MOST_QUEUED = 4;

interface PendingEpisode {
  facts: SessionFacts;
  readonly source: string;
  readonly entries: EpisodeEntry[];
}

export interface IntakePorts {
  readonly sources: TranscriptSources;
  readonly keeper: EpisodeKeeper;
  readonly projects: EpisodeProjects;
  /** Reads the characters of a text faster, if the system supports it. */
  readonly lowBytes?: LowBytes;
}

export interface IntakeTally {
  addBatches(batches: readonly StoredBatch[]): void;
  dropped(sessions: readonly string[]): void;
  skipFile(file: string, reason: string): void;
}

/** Collects messages by session, cleans them, and passes them to the keeper in batches while reading goes on. */
export class Intake {
  readonly #ports: IntakePorts;
  readonly #tally: IntakeTally;
  readonly #sizes: IntakeSizes;
  readonly #open = new Map<string, { readonly project: EpisodeProject; readonly exclusion: Exclusion }>();
  #pending = new Map<string, PendingEpisode>();
  #states: SourceState[] = [];
  /** Transcripts that the next import reads again. */
  readonly #postponed = new Set<string>();
  #size = 0;
  #unsettled = 0;
  readonly #queue: Promise<void>[] = [];

  constructor(ports: IntakePorts, tally: IntakeTally, sizes = SIZES) {
    this.#ports = ports;
    this.#tally = tally;
    this.#sizes = sizes;
  }

  get isFull(): boolean {
    return this.#size >= this.#sizes.batch;
  }

  take(event: ReadEvent, source: string, client: Client): void {
    if (event.kind === 'facts') this.#episodeFor(event.facts.sessionId, source, client, event.facts);
    else if (event.kind === 'message') this.#add(event.message, this.#episodeFor(event.message.sessionId, source, client));
    else if (event.kind === 'summary') {
      const { at, text } = event;
      const id = `compaction-${fingerprint(at, text)}`;
      this.#add({ id, compaction: text, ...(at !== undefined && { at }) }, this.#episodeFor(event.sessionId, source, client));
    }
  }

  /** Records how far a transcript was read; stored with the next commit. */
  noteState(state: SourceState): void {
    this.#states.push(state);
  }

  /** Prepares a batch while the keeper works on earlier ones, then queues it. */
  async flush(): Promise<void> {
    const batches = await this.#batches();
    this.#unsettled += this.#size;
    this.#size = 0;
    if (batches.length > 0) await this.#enqueue(async () => this.#tally.addBatches(await this.#ports.keeper.take(batches)));
    if (this.#unsettled >= this.#sizes.settled) await this.#settle();
  }

  async finish(): Promise<void> {
    await this.flush();
    await this.#settle();
    while (this.#queue.length > 0) await this.#queue.shift();
  }

  /** Commits all batches, then records the transcripts as read. */
  async #settle(): Promise<void> {
    const states = this.#states.filter(({ path }) => !this.#postponed.has(path));
    this.#states = [];
    this.#unsettled = 0;
    await this.#enqueue(async () => {
      this.#tally.dropped(await this.#ports.keeper.settle());
      if (states.length > 0) this.#ports.sources.note(states);
    });
  }

  /** The keeper works in order; a short queue keeps both reading and writing busy. */
  async #enqueue(work: () => Promise<void>): Promise<void> {
    const write = work();
    // Awaited later; keep it from being reported as unhandled.
    write.catch(() => undefined);
    this.#queue.push(write);
    while (this.#queue.length > MOST_QUEUED) await this.#queue.shift();
  }

  async #batches(): Promise<readonly ProjectBatch[]> {
    const pending = this.#pending;
    this.#pending = new Map();
    const batches = new Map<string, { readonly project: EpisodeProject; readonly parts: EpisodePart[] }>();
    for (const episode of pending.values()) {
      if (episode.entries.length === 0 && this.#ports.sources.projectOf(episode.facts.sessionId) === undefined) continue;
      const destination = await this.#projectOrPostpone(episode);
      if (!destination) continue;
      const { project, exclusion } = destination;
      const batch = batches.get(project.key) ?? { project, parts: [] };
      batches.set(project.key, batch);
      batch.parts.push({
        facts: cleanFacts(episode.facts),
        source: episode.source,
        entries: episode.entries.map((entry) => cleanEntry(entry, exclusion, this.#ports.lowBytes)),
      });
    }
    return [...batches.values()].map(({ project, parts }) => ({ key: project.key, archiveBytes: project.archiveBytes, parts }));
  }

  #episodeFor(sessionId: string, source: string, client: Client, sessionFacts?: SessionFacts): PendingEpisode {
    const known = this.#pending.get(sessionId);
    if (known === undefined) {
      const created: PendingEpisode = { facts: sessionFacts ?? { sessionId, client }, source, entries: [] };
      this.#pending.set(sessionId, created);
      return created;
    }
    if (sessionFacts !== undefined) known.facts = joinFacts(known.facts, sessionFacts);
    return known;
  }

  #add(entry: EpisodeEntry, episode: PendingEpisode): void {
    episode.entries.push(entry);
    this.#size += sizeOfEntry(entry) + 200;
  }

  /** Skips the sessions of a project whose folder cannot be read: without its settings, their exclusions are unknown. */
  async #projectOrPostpone(episode: PendingEpisode): Promise<{ readonly project: EpisodeProject; readonly exclusion: Exclusion } | undefined> {
    try {
      return await this.#projectOf(episode);
    } catch (cause) {
      if (!isFailure(cause) || cause.code !== 'READ_ERROR') throw cause;
      if (!this.#postponed.has(episode.source)) this.#tally.skipFile(episode.source, cause.message);
      this.#postponed.add(episode.source);
      return undefined;
    }
  }

  /** A session stays with the project that it was first assigned to. */
  async #projectOf({ facts, source }: PendingEpisode): Promise<{ readonly project: EpisodeProject; readonly exclusion: Exclusion }> {
    const { sources, projects } = this.#ports;
    const known = sources.projectOf(facts.sessionId);
    const key = known ?? sources.claim(facts.sessionId, (await projects.of(facts, source)).key);
    const open = this.#open.get(key);
    if (open !== undefined) return open;
    const project = await projects.byKey(key);
    const opened = { project, exclusion: new Exclusion(project.exclude, project.folder) };
    this.#open.set(key, opened);
    return opened;
  }
}

/** Redacts an entry and removes what is excluded from it. */
export const cleanEntry = (entry: EpisodeEntry, exclusion: Exclusion, lowBytes?: LowBytes): EpisodeEntry =>
  isMessage(entry) ? cleanMessage(entry, exclusion, lowBytes) : { ...entry, compaction: cleanText(entry.compaction, TRANSCRIPT_LIMITS.text) };
