import type { TranscriptSources } from '../../core/ports/episodes.ts';
import type { Registry } from '../../core/project/registry.ts';
import type { OpenedStore } from './batch-writer.ts';
import type { EpisodeStore } from './keep.ts';
import { rebuildLostIndex } from './keep.ts';

/** The episodes of the projects under one home. */
export interface EpisodeStores {
  /** Whether a project has any episodes; must not create a database. */
  has(key: string): boolean;
  open(key: string): OpenedStore;
  /** The projects that have something in Holdfast's state. */
  keys(): readonly string[];
}

/** Sources as a database keeps them. */
export interface OpenSources extends TranscriptSources {
  /** Whether they were just created and know no session. */
  readonly fresh: boolean;
  close(): void;
}

/** Opens a store; a lost index is first rebuilt from the archive. */
export function openWithIndex(store: EpisodeStore, close: () => void): OpenedStore {
  try {
    return { store, remade: rebuildLostIndex(store), close };
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
export function rebuildStore(stores: EpisodeStores, openSources: () => OpenSources, key: string): void {
  const sources = openSources();
  try {
    sources.forget();
    stores.open(key).close();
  } finally {
    sources.close();
  }
}

/** Projects of the registry before the others: a merged project keeps a copy of its sessions, but they belong to the project in the registry. */
export const knownFirst = (keys: readonly string[], { projects }: Registry): readonly string[] => {
  const known = new Set(projects.map(({ key }) => key));
  return keys.toSorted((a, b) => Number(known.has(b)) - Number(known.has(a)));
};

/** If the sources were lost, reads again from the projects which sessions belong to them. */
export function restoreSources(sources: OpenSources, stores: EpisodeStores): OpenSources {
  if (!sources.fresh) return sources;
  for (const key of stores.keys()) {
    withStore(stores, key, ({ index }) => {
      for (const { facts } of index.sessions(-1)) sources.claim(facts.sessionId, key);
    });
  }
  return sources;
}
