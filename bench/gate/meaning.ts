import path from 'node:path';
import { ThreadEmbedder } from '../../src/adapters/model/embed/thread.ts';
import { SqliteVectors } from '../../src/adapters/sqlite/vectors/vectors.ts';
import { embedAll, itemTexts } from '../../src/app/embedding/embed.ts';
import { nearbyFor, cachingLastQuestion } from '../../src/app/embedding/nearby.ts';
import type { Memory } from '../../src/app/memory/memory.ts';
import { rankWithMeaning } from '../../src/app/recall/near-records.ts';
import type { RecallContext } from '../../src/app/recall/recall-context.ts';
import { ok } from '../../src/core/result.ts';

/** Embeds the records of a project with the model in a folder, and has prompts ask it, however long it takes. */
export async function askingModel(
  model: string,
  home: string,
  memory: Memory,
  context: RecallContext,
): Promise<{ readonly context: RecallContext; close(): void }> {
  const embedder = cachingLastQuestion(new ThreadEmbedder({ folder: model }));
  const store = new SqliteVectors(path.join(home, 'vectors.db'));
  const source = itemTexts(memory.index);
  const report = await embedAll({ source, store, embedder, md5: memory.md5 });
  if (!report.complete) throw new Error('the records could not be embedded');
  const place = ok({ embedder, parts: [{ kind: 'items' as const, source, store }] });
  const close = (): void => {
    embedder.close?.();
    store.close();
  };
  const nearbyOf = nearbyFor({ open: async () => ({ of: () => place, close }) });
  return { context: { ...context, ranking: rankWithMeaning(context.ranking, [memory], context.log, nearbyOf) }, close };
}
