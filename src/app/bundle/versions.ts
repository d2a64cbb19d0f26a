import type { FileRef } from '../../core/ports/store.ts';
import type { Memory } from '../memory/memory.ts';
import type { ItemFacts } from '../../core/ports/index.ts';

/** The file with versions from imported bundles, by file. */
export const versionsPlace = ({ store }: Memory): FileRef => ({ root: store.roots.includes('private') ? 'private' : 'user', path: '_versions.json' });

const nameOf = ({ root, path }: FileRef): string => `${root}:${path}`;

type VersionLists = Readonly<Record<string, readonly string[]>>;

async function importedVersions(memory: Memory): Promise<VersionLists> {
  const file = await memory.store.read(versionsPlace(memory));
  try {
    const value: unknown = JSON.parse(file?.text ?? '{}');
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as VersionLists) : {};
  } catch {
    return {};
  }
}

/** Whether a file was in an imported bundle. */
async function importedFiles(memory: Memory): Promise<(place: FileRef) => boolean> {
  const before = await importedVersions(memory);
  return (place) => Object.hasOwn(before, nameOf(place));
}

/** Every version that each file of a memory ever had, oldest first. */
export async function versionsOf(memory: Memory): Promise<(place: FileRef) => readonly string[]> {
  const before = await importedVersions(memory);
  const journaled = new Map<string, string[]>();
  for (const entry of await memory.store.journal.entries()) {
    const list = journaled.get(nameOf(entry)) ?? [];
    journaled.set(nameOf(entry), [...list, ...[entry.before, entry.after].filter((hash) => hash !== undefined)]);
  }
  return (place) => {
    const imported = before[nameOf(place)];
    return [...new Set([...(Array.isArray(imported) ? imported : []), ...(journaled.get(nameOf(place)) ?? [])])];
  };
}

/** The file of known versions with those of a bundle added. */
export async function withVersions(memory: Memory, files: readonly (FileRef & { readonly versions: readonly string[] })[]): Promise<string> {
  const all: Record<string, readonly string[]> = { ...(await importedVersions(memory)) };
  for (const file of files) all[nameOf(file)] = [...new Set([...(all[nameOf(file)] ?? []), ...file.versions])];
  return `${JSON.stringify(all)}\n`;
}

/** The name of the file that `import` writes beside the local version. */
const BESIDE = /-imported(?:-\d+)?(?=\.\w+$)/;

export interface ImportConflict {
  readonly ours: ItemFacts;
  readonly theirs: ItemFacts;
}

/** Records that were changed both here and in a bundle, as long as both versions are active. */
export async function importConflicts(memory: Memory): Promise<readonly ImportConflict[]> {
  const items = memory.index.items({ status: 'active' });
  const beside = items.filter(({ path }) => BESIDE.test(path));
  if (beside.length === 0) return [];
  const isImported = await importedFiles(memory);
  return beside.flatMap((theirs) => {
    const path = theirs.path.replace(BESIDE, '');
    // A record of the user may have such a name by chance.
    if (!isImported({ root: theirs.root, path })) return [];
    const id = theirs.id.replace(/-imported(?:-\d+)?$/, '');
    const ours = items.find(
      (item) => item.root === theirs.root && (item.path === path || (item.category !== undefined && item.category === theirs.category && item.id === id)),
    );
    return ours ? [{ ours, theirs }] : [];
  });
}
