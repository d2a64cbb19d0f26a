import type { RootName } from '../../core/ports/store.ts';
import { Stems } from '../../core/project/filename.ts';
import { stemOf } from '../memory/layout.ts';
import type { Memory } from '../memory/memory.ts';

/** The names in a folder, and the journal position up to which they are known. */
export interface SeenNames {
  readonly stems: Stems;
  readonly seenAt: number;
  readonly tookMs: number;
  position: number;
}

/** The more a folder holds, the longer it takes to list: a writer in a hurry lists it now and then, and spends at most a tenth of its time on it. */
const PAUSE_MS = 200;
const PAUSE_FACTOR = 10;

/** The names in a folder. Call it with the write lock held: the journal has the writes since, and manual edits are noticed a little later. */
export async function takenNames(memory: Memory, root: RootName, folder: string): Promise<Stems> {
  const seen = memory.seenNames.get(`${root}/${folder}`);
  return (seen && (await followed(memory, seen, root, folder))) ?? lookAgain(memory, root, folder);
}

/** The same by looking at the folder. */
export async function lookAgain(memory: Memory, root: RootName, folder: string): Promise<Stems> {
  const [started, position] = [memory.now(), await memory.store.journal.position()];
  const stems = new Stems((await memory.store.list(root, folder)).map(stemOf));
  const seenAt = memory.now();
  memory.seenNames.set(`${root}/${folder}`, { stems, seenAt, tookMs: seenAt - started, position });
  return stems;
}

/** Unless it is long ago, or a name has become free. */
async function followed(memory: Memory, seen: SeenNames, root: RootName, folder: string): Promise<Stems | undefined> {
  const since = memory.now() - seen.seenAt;
  if (since < 0 || since >= Math.max(PAUSE_MS, seen.tookMs * PAUSE_FACTOR)) return undefined;
  const position = await memory.store.journal.position();
  if (position < seen.position) return undefined;
  if (position === seen.position) return seen.stems;
  for (const entry of await memory.store.journal.entries(seen.position)) {
    if (entry.root !== root || !entry.path.startsWith(`${folder}/`)) continue;
    if (entry.after === undefined) return undefined;
    seen.stems.add(stemOf(entry.path));
  }
  seen.position = position;
  return seen.stems;
}
