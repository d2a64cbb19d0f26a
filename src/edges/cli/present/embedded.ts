import { countEmbedded, type EmbeddedCount } from '../../../app/embedding/place.ts';
import type { Memory } from '../../../app/memory/memory.ts';
import type { Finding } from '../../../app/read/doctor.ts';
import type { Cli } from '../command.ts';

/** How many texts have a vector; undefined where search is by words alone. */
export async function embeddedIn(cli: Cli, memory: Memory): Promise<EmbeddedCount | undefined> {
  if (memory.config.get('embed.provider') === 'none') return undefined;
  const place = (await cli.embedding()).of(memory);
  return place.ok && place.value ? countEmbedded(memory, place.value) : undefined;
}

/** What doctor says of an embedder: whether it can be used, and what still waits for it. */
export async function embeddingFindings(cli: Cli, memory: Memory): Promise<readonly Finding[]> {
  if (memory.config.get('embed.provider') === 'none') return [];
  const place = (await cli.embedding()).of(memory);
  if (!place.ok) return [{ level: 'problem', what: `the embedder cannot be used: ${place.error.message}`, mend: place.error.hint ?? 'holdfast config list' }];
  if (!place.value) return [];
  const { model, embedded, texts, complete } = await countEmbedded(memory, place.value);
  if (embedded >= texts && complete) return [];
  const effect = complete ? 'these are found by words alone' : 'search goes by words until all are done';
  return [{ level: 'note', what: `${texts - embedded} of ${texts} texts have no vector of ${model} yet: ${effect}`, mend: 'holdfast embed' }];
}
