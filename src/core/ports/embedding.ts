import type { Result } from '../result.ts';

/** A text that has a vector: its number in the index, and the digest of the text that was embedded. */
export interface VectorKey {
  readonly key: number;
  readonly digest: string;
}

export interface NewVector extends VectorKey {
  /** The source of the text, for a search that finds it by its vector. */
  readonly label?: string;
  /** Of length one. */
  readonly vector: Float32Array;
}

export interface VectorHit {
  readonly key: number;
  readonly label?: string;
  /** Cosine, from -1 to 1. */
  readonly score: number;
}

/** Vectors by model. Derived: they can be thrown away and are made again from the texts. */
export interface VectorStore {
  /** Digests of those of the keys that have a vector of this model. */
  digests(model: string, keys: readonly number[]): ReadonlyMap<number, string>;
  /** Takes vectors in; those of known keys are replaced. All of them become visible together. */
  put(model: string, vectors: readonly NewVector[]): void;
  /** Forgets the keys from `from` to `to`, both included, that are not among those kept. Returns how many. */
  prune(model: string, from: number, to: number, except: ReadonlySet<number>): number;
  count(model: string): number;
  /** Whether the model has been through all texts once: until then a search would miss what it has not seen. */
  isComplete(model: string): boolean;
  /** Marks the model as complete and forgets the vectors of all others. */
  complete(model: string): void;
  /** Reads what a search of this model needs into memory. */
  load(model: string): void;
  isLoaded(model: string): boolean;
  /** Nearest first. */
  nearest(model: string, query: Float32Array, limit: number): readonly VectorHit[];
  close(): void;
}

/** Some models embed a question in another way than a text. */
export type EmbeddingRole = 'query' | 'passage';

/** Turns texts into vectors of length one. */
export interface Embedder {
  /** Provider and model, such as `ollama:nomic-embed-text`: vectors of different names are never compared. */
  readonly name: string;
  /** Runs in this process, without a network: the only kind that may stand on a hook's path. */
  readonly local: boolean;
  /** Whether it answers at once; one that does not say so does. */
  readonly isWarm?: boolean;
  /** Begins to load what it needs. */
  warm?(): void;
  close?(): void;
  /** One vector for each text, in order, all of the same size. */
  embed(texts: readonly string[], role: EmbeddingRole): Promise<Result<readonly Float32Array[]>>;
}

/** Something on this machine that can embed texts, or that can be installed. */
export interface DetectedEmbedder {
  readonly provider: 'minilm' | 'ollama';
  readonly model: string;
  readonly state: 'installed' | 'available' | 'needs npm';
  /** On disk. */
  readonly megabytes?: number;
}

export interface EmbedderTest {
  /** Whether it finds sentences of one meaning nearer to each other than to another one. */
  readonly works: boolean;
  readonly loadMs: number;
  readonly textMs: number;
  /** Processor time of a text. */
  readonly processorMs: number;
  /** Memory that it takes while it is loaded. */
  readonly megabytes: number;
}

/** Installs and removes the sentence model. */
export interface EmbedderSetup {
  find(): Promise<readonly DetectedEmbedder[]>;
  isInstalled(): boolean;
  install(): Promise<Result<void>>;
  test(): Promise<Result<EmbedderTest>>;
  /** Why the model last failed; undefined when it works. */
  problem(): string | undefined;
  /** Removes the model and all vectors. */
  remove(): void;
  /** Starts a process that embeds every project. */
  embedInBackground(): void;
}
