import { utcSeconds } from '../../core/instant.ts';
import { isFailure } from '../../core/failure.ts';
import { contextText } from './context-file.ts';
import type { LayerFile } from './load.ts';
import { beside, type MemoryFile } from './memory-file.ts';

/** Notes in `context.json` that memory was loaded. A project without a MEMORY.md is left as it is, and so is a home that cannot be written. */
export async function noteLoad(file: MemoryFile, layers: readonly LayerFile[]): Promise<void> {
  if (!(await file.read(file.place))) return;
  const place = beside(file, 'context.json');
  const sizes = Object.fromEntries(layers.map(({ name, characters }) => [name, characters]));
  try {
    await file.view(place, (before) => contextText(before, { ...file.owner, lastLoaded: utcSeconds(file.now()), sizes }));
  } catch (cause) {
    if (!isFailure(cause)) throw cause;
  }
}
