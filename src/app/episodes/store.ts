import type { TranscriptSources } from '../../core/ports/episodes.ts';
import type { Registry } from '../../core/project/registry.ts';
import type { OpenedStore } from './batch-writer.ts';
import type { EpisodeStore } from './keep.ts';
import { remake } from './keep.ts';

/** The episodes of the projects under one home. */
export interface EpisodeStores {
  /** Whether a project has any episodes: looking must not make a database. */
  has(key: string): boolean;
  open(key: string): OpenedStore;
  /** The projects that have something in Holdfast's state. */
  keys(): readonly string[];
}

/** Sources as a database keeps them. */
export interface OpenSources extends TranscriptSources {
  /** Whether they were just made: nothing is known of any session. */
  readonly fresh: boolean;
  close(): void;
}

/** A store that can be worked with: an index that is lost is made again from the archive first. */
export function openedStore(store: EpisodeStore, close: () => void): OpenedStore {
  try {
    return { store, remade: remake(store), close };
  } catch (cause) {
    close();
    throw cause;
  }
}

/** Works on a project's episodes; undefined if it has none. */
export function withStore<T>(stores: EpisodeStores, key: string, work: (store: EpisodeStore) => T): T | undefined {
  if (!stores.has(key)) return undefined;
  const { store, close } = stores.open(key);
  try {
    return work(store);
  } finally {
    close();
  }
}

/** Rebuilds a lost index from the archive. The next import reads all transcripts again and restores the rest. */
export function remakeStore(stores: EpisodeStores, openSources: () => OpenSources, key: string): void {
  const sources = openSources();
  try {
    sources.forget();
    stores.open(key).close();
  } finally {
    sources.close();
  }
}

/** Projects of the registry before the rest: what was merged into another project keeps its own copy, and the other one has the sessions. */
export const knownFirst = (keys: readonly string[], { projects }: Registry): readonly string[] => {
  const known = new Set(projects.map(({ key }) => key));
  return keys.toSorted((a, b) => Number(known.has(b)) - Number(known.has(a)));
};

/** Which project a session belongs to is read from the projects again when it was lost. */
export function restoreSources(sources: OpenSources, stores: EpisodeStores): OpenSources {
  if (!sources.fresh) return sources;
  for (const key of stores.keys()) {
    withStore(stores, key, ({ index }) => {
      for (const { facts } of index.sessions(-1)) sources.claim(facts.sessionId, key);
    });
  }
  return sources;
}
