import { posix } from 'node:path';
import type { FileRef, RootName } from '../../core/ports/store.ts';
import { ok, refuse, type Result } from '../../core/result.ts';

export type Roots = Readonly<Partial<Record<RootName, string>>>;

/** The folder name of a root; no such folder exists on a disk. */
export function rootFolder(roots: Roots, root: RootName): string {
  const folder = roots[root];
  if (folder === undefined) throw new Error(`this memory has no ${root} root`);
  return folder;
}

/** The path of `target` inside a root, or a refusal when it leads anywhere else. */
export function containedPath(folder: string, target: string): Result<string> {
  const hint = 'name a file inside the memory, such as decisions/use-sqlite.md';
  if (target === '' || target.includes('\0')) return refuse('PATH_ERROR', `${JSON.stringify(target)} is not a file name`, { hint });
  const path = posix.relative(folder, posix.resolve(folder, target));
  if (path === '' || path === '..' || path.startsWith('../')) return refuse('PATH_ERROR', `${JSON.stringify(target)} is outside the memory`, { hint });
  return ok(path);
}

const folded = (path: string): string => path.normalize('NFC').toLowerCase();

/** A second file whose name differs in letter case only could not be checked out on every system. */
export function distinctPath(place: FileRef, beside: readonly string[]): Result<FileRef> {
  const other = beside.find((path) => path !== place.path && folded(path) === folded(place.path));
  if (other === undefined) return ok(place);
  return refuse('PATH_ERROR', `${JSON.stringify(place.path)} differs only in letter case from a file that exists`, { hint: `name it ${other}` });
}

/** The names directly in a folder, of the paths of all files below it. */
export function namesIn(folder: string, paths: readonly string[]): readonly string[] {
  const skip = folder === '' ? 0 : folder.length + 1;
  return [...new Set(paths.map((path) => path.slice(skip).split('/', 1)[0] ?? ''))].toSorted();
}
