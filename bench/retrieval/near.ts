import fs from 'node:fs';
import path from 'node:path';
import { createHash } from 'node:crypto';
import type { MessageSearchIndex } from '../../src/adapters/sqlite/episodes/message-search.ts';
import { ThreadEmbedder } from '../../src/adapters/model/embed/thread.ts';
import { SqliteVectors } from '../../src/adapters/sqlite/vectors/vectors.ts';
import { embedAll } from '../../src/app/embedding/embed.ts';
import { nearTexts } from '../../src/app/search/ranking.ts';
import { ok } from '../../src/core/result.ts';
import type { NearText } from '../../src/recall/rank/meaning.ts';

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/** Vectors of questions by their texts, in one file: asking a model for thousands of them takes minutes. */
class QuestionVectors {
  readonly #file: string;
  readonly #known: Record<string, string>;
  readonly #embedder: ThreadEmbedder;

  constructor(file: string, embedder: ThreadEmbedder) {
    this.#file = file;
    this.#embedder = embedder;
    this.#known = fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, string>) : {};
  }

  async of(question: string): Promise<Float32Array> {
    const known = this.#known[md5(question)];
    if (known !== undefined) return new Float32Array(new Uint8Array(Buffer.from(known, 'base64')).buffer);
    const made = await this.#embedder.embed([question], 'query');
    if (!made.ok) throw new Error(made.error.message);
    const [vector] = made.value as [Float32Array];
    this.#known[md5(question)] = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64');
    return vector;
  }

  save(): void {
    fs.writeFileSync(this.#file, JSON.stringify(this.#known));
  }
}

/** The texts nearest in meaning to a question in some of the indexes. */
export type NearIn = (indexes: readonly MessageSearchIndex[], question: string) => Promise<readonly NearText[]>;

/**
 * The model in `folder` (as `embed setup` installs it) over all texts of the data, with the store that users have. Embedding takes about an hour of one core
 * the first time; `vectors` stores the results.
 */
export async function meaningOf(
  data: ReadonlyMap<string, MessageSearchIndex>,
  folder: string,
  vectors: string,
): Promise<{ readonly near: NearIn; close(): void }> {
  fs.mkdirSync(vectors, { recursive: true });
  const embedder = new ThreadEmbedder({ folder });
  const questions = new QuestionVectors(path.join(vectors, 'questions.json'), embedder);
  const stores = new Map<MessageSearchIndex, SqliteVectors>();
  for (const [name, index] of data) {
    const store = new SqliteVectors(path.join(vectors, `${name}.db`));
    const source = { chunks: (after: number, limit: number) => index.texts(after, limit), count: () => index.textCount() };
    const report = await embedAll({ source, store, embedder, md5, progress: ({ embedded }) => embedded > 0 && console.error(`${name}: ${embedded} embedded`) });
    if (!report.complete && report.seen > 0) throw new Error(`${name} could not be embedded`);
    stores.set(index, store);
  }
  const near: NearIn = async (indexes, question) => {
    const vector = await questions.of(question);
    const places = indexes.map((index) => ({
      // Only records are read from it.
      memory: undefined as never,
      nearby: async (_question: string, limit: number) => ok({ items: [], messages: stores.get(index)?.nearest(embedder.name, vector, limit) ?? [] }),
      messages: { index, filter: {} },
    }));
    return nearTexts(places, question, (what) => console.error(what));
  };
  const close = (): void => {
    questions.save();
    embedder.close();
    for (const store of stores.values()) store.close();
  };
  return { near, close };
}
