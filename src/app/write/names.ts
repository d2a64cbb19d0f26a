import type { RootName } from '../../core/ports/store.ts';
import { Stems } from '../../core/project/filename.ts';
import { stemOf } from '../memory/layout.ts';
import type { Memory } from '../memory/memory.ts';

/** The names in a folder as of a journal position. */
export interface FolderNames {
  readonly stems: Stems;
  readonly seenAt: number;
  readonly listingMs: number;
  position: number;
}

/** A cached list is used for ten times as long as listing took, so that listing takes at most a tenth of a busy writer's time. */
const PAUSE_MS = 200;
const PAUSE_FACTOR = 10;

/** The names in a folder, cached. Requires the write lock: the journal then holds all writes since; manual edits are noticed with a short delay. */
export async function takenNames(memory: Memory, root: RootName, folder: string): Promise<Stems> {
  const cached = memory.seenNames.get(`${root}/${folder}`);
  return (cached && (await cachedStems(memory, cached, root, folder))) ?? listNames(memory, root, folder);
}

/** Lists the folder and caches its names. */
export async function listNames(memory: Memory, root: RootName, folder: string): Promise<Stems> {
  const [started, position] = [memory.now(), await memory.store.journal.position()];
  const stems = new Stems((await memory.store.list(root, folder)).map(stemOf));
  const seenAt = memory.now();
  memory.seenNames.set(`${root}/${folder}`, { stems, seenAt, listingMs: seenAt - started, position });
  return stems;
}

/** The cached names with those that were written since; undefined if the cache is too old or a name has become free. */
async function cachedStems(memory: Memory, cached: FolderNames, root: RootName, folder: string): Promise<Stems | undefined> {
  const since = memory.now() - cached.seenAt;
  if (since < 0 || since >= Math.max(PAUSE_MS, cached.listingMs * PAUSE_FACTOR)) return undefined;
  const position = await memory.store.journal.position();
  if (position < cached.position) return undefined;
  if (position === cached.position) return cached.stems;
  for (const entry of await memory.store.journal.entries(cached.position)) {
    if (entry.root !== root || !entry.path.startsWith(`${folder}/`)) continue;
    if (entry.after === undefined) return undefined;
    cached.stems.add(stemOf(entry.path));
  }
  cached.position = position;
  return cached.stems;
}
