import type { FileRef, StoredFile } from '../../core/ports/store.ts';
import { hasConflictMarkers } from '../../core/record/conflict-markers.ts';
import type { Memory } from '../memory/memory.ts';

/** A file as an agent may be shown it: one that git left conflict markers in counts as absent. */
export async function readSettled(memory: Pick<Memory, 'store'>, place: FileRef): Promise<StoredFile | undefined> {
  const file = await memory.store.read({ root: place.root, path: place.path });
  return file && !hasConflictMarkers(file.text) ? file : undefined;
}
