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
import { joinFacts } from './archive-line.ts';
import { sizeOfEntry } from './archive-line.ts';
import type { EpisodeProject, EpisodeProjects } from '../project/session-project.ts';

/** Characters that go to the keeper at once, on which it works while the next are read, and after how many everything taken is settled. */
export interface IntakeSizes {
  readonly batch: number;
  readonly settled: number;
}

/** Each commit reads and rewrites the ends of the term lists, so many messages are committed together. */
const SIZES: IntakeSizes = { batch: 500_000, settled: 10_000_000 };
/** Batches that may wait for the keeper. */
const MOST_WAITING = 4;

interface Waiting {
  facts: SessionFacts;
  readonly source: string;
  readonly entries: EpisodeEntry[];
}

export interface IntakePorts {
  readonly sources: TranscriptSources;
  readonly keeper: EpisodeKeeper;
  readonly projects: EpisodeProjects;
  /** A faster way to read the characters of a text, if the system has one. */
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
  #waiting = new Map<string, Waiting>();
  #states: SourceState[] = [];
  /** Transcripts that the next import reads again. */
  readonly #postponed = new Set<string>();
  #size = 0;
  #unsettled = 0;
  readonly #keeping: Promise<void>[] = [];

  constructor(ports: IntakePorts, tally: IntakeTally, sizes = SIZES) {
    this.#ports = ports;
    this.#tally = tally;
    this.#sizes = sizes;
  }

  get isFull(): boolean {
    return this.#size >= this.#sizes.batch;
  }

  take(event: ReadEvent, source: string, client: Client): void {
    if (event.kind === 'facts') this.#of(event.facts.sessionId, source, client, event.facts);
    else if (event.kind === 'message') this.#add(event.message, this.#of(event.message.sessionId, source, client));
    else if (event.kind === 'summary') {
      const { at, text } = event;
      const id = `compaction-${fingerprint(at, text)}`;
      this.#add({ id, compaction: text, ...(at !== undefined && { at }) }, this.#of(event.sessionId, source, client));
    }
  }

  /** How far a transcript was read; holds once everything taken so far is kept. */
  reached(state: SourceState): void {
    this.#states.push(state);
  }

  /** Makes a batch ready while those before are worked on, then sends it on its way. */
  async flush(): Promise<void> {
    const batches = await this.#batches();
    this.#unsettled += this.#size;
    this.#size = 0;
    if (batches.length > 0) await this.#work(async () => this.#tally.addBatches(await this.#ports.keeper.take(batches)));
    if (this.#unsettled >= this.#sizes.settled) await this.#settle();
  }

  async finish(): Promise<void> {
    await this.flush();
    await this.#settle();
    while (this.#keeping.length > 0) await this.#keeping.shift();
  }

  /** Only when that is done may the transcripts be noted as read. */
  async #settle(): Promise<void> {
    const states = this.#states.filter(({ path }) => !this.#postponed.has(path));
    this.#states = [];
    this.#unsettled = 0;
    await this.#work(async () => {
      this.#tally.dropped(await this.#ports.keeper.settle());
      if (states.length > 0) this.#ports.sources.note(states);
    });
  }

  /** The keeper works in order; a few batches may wait there, so that neither side is idle. */
  async #work(work: () => Promise<void>): Promise<void> {
    const working = work();
    // Awaited later; keep it from being reported as unhandled.
    working.catch(() => undefined);
    this.#keeping.push(working);
    while (this.#keeping.length > MOST_WAITING) await this.#keeping.shift();
  }

  async #batches(): Promise<readonly ProjectBatch[]> {
    const waiting = this.#waiting;
    this.#waiting = new Map();
    const batches = new Map<string, { readonly project: EpisodeProject; readonly parts: EpisodePart[] }>();
    for (const episode of waiting.values()) {
      if (episode.entries.length === 0 && this.#ports.sources.projectOf(episode.facts.sessionId) === undefined) continue;
      const found = await this.#projectOrPostpone(episode);
      if (!found) continue;
      const { project, exclusion } = found;
      const batch = batches.get(project.key) ?? { project, parts: [] };
      batches.set(project.key, batch);
      batch.parts.push({
        facts: cleanFacts(episode.facts),
        source: episode.source,
        entries: episode.entries.map((entry) => clean(entry, exclusion, this.#ports.lowBytes)),
      });
    }
    return [...batches.values()].map(({ project, parts }) => ({ key: project.key, archiveBytes: project.archiveBytes, parts }));
  }

  #of(sessionId: string, source: string, client: Client, sessionFacts?: SessionFacts): Waiting {
    const known = this.#waiting.get(sessionId);
    if (known === undefined) {
      const begun: Waiting = { facts: sessionFacts ?? { sessionId, client }, source, entries: [] };
      this.#waiting.set(sessionId, begun);
      return begun;
    }
    if (sessionFacts !== undefined) known.facts = joinFacts(known.facts, sessionFacts);
    return known;
  }

  #add(entry: EpisodeEntry, episode: Waiting): void {
    episode.entries.push(entry);
    this.#size += sizeOfEntry(entry) + 200;
  }

  /** A project whose folder cannot be read costs only its own sessions: without its settings, nothing of them may be kept. */
  async #projectOrPostpone(episode: Waiting): Promise<{ readonly project: EpisodeProject; readonly exclusion: Exclusion } | undefined> {
    try {
      return await this.#projectOf(episode);
    } catch (cause) {
      if (!isFailure(cause) || cause.code !== 'READ_ERROR') throw cause;
      if (!this.#postponed.has(episode.source)) this.#tally.skipFile(episode.source, cause.message);
      this.#postponed.add(episode.source);
      return undefined;
    }
  }

  /** A session stays with the project that it was first given to. */
  async #projectOf({ facts, source }: Waiting): Promise<{ readonly project: EpisodeProject; readonly exclusion: Exclusion }> {
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

const clean = (entry: EpisodeEntry, exclusion: Exclusion, lowBytes?: LowBytes): EpisodeEntry =>
  isMessage(entry) ? cleanMessage(entry, exclusion, lowBytes) : { ...entry, compaction: cleanText(entry.compaction, TRANSCRIPT_LIMITS.text) };
