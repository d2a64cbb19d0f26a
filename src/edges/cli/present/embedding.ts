import { countEmbedded, type EmbeddedCount } from '../../../app/embedding/place.ts';
import type { Memory } from '../../../app/memory/memory.ts';
import type { Finding } from '../../../app/read/doctor.ts';
import type { Cli } from '../command.ts';

/** How many texts are embedded; undefined if no embedder is configured. */
export async function embeddedIn(cli: Cli, memory: Memory): Promise<EmbeddedCount | undefined> {
  if (memory.config.get('embed.provider') === 'none') return undefined;
  const place = (await cli.embedding()).of(memory);
  return place.ok && place.value ? countEmbedded(memory, place.value) : undefined;
}

/** What doctor reports about the embedder: whether it works and what is not embedded yet. */
export async function embeddingFindings(cli: Cli, memory: Memory): Promise<readonly Finding[]> {
  if (memory.config.get('embed.provider') === 'none') return [];
  const place = (await cli.embedding()).of(memory);
  if (!place.ok) return [{ level: 'problem', what: `The embedder cannot be used: ${place.error.message}`, mend: place.error.hint ?? 'holdfast config list' }];
  if (!place.value) return [];
  const { model, embedded, texts, complete } = await countEmbedded(memory, place.value);
  if (embedded >= texts && complete) return [];
  const effect = complete ? 'search finds these by words only' : 'search works by words until all are embedded';
  return [{ level: 'note', what: `${texts - embedded} of ${texts} texts are not embedded with ${model} yet; ${effect}.`, mend: 'holdfast embed' }];
}
