import { lstatSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { possiblePath } from '../../core/project/folder.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { isAnswering } from './outside/mounts.ts';

/** The real path of a file that may not exist yet: the nearest existing ancestor resolved, the rest appended. */
export function realPath(file: string): string {
  const path = resolve(file);
  if (!isAnswering(path)) return path;
  let current = possiblePath(path);
  const withRest = (folder: string): string => (current === path ? folder : join(folder, path.slice(current.length)));
  for (;;) {
    try {
      // Checked first, because an exception for a missing file costs a search more than reading all its files.
      if (lstatSync(current, { throwIfNoEntry: false })) return withRest(realpathSync.native(current));
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      if (code === 'ELOOP') return path;
      // A dangling link, through which a file could be created elsewhere.
      if (code === 'ENOENT') return withRest(realPath(resolve(dirname(current), readlinkSync(current))));
    }
    const parent = dirname(current);
    if (parent === current) return path;
    current = parent;
  }
}

export const isInside = (folder: string, file: string): boolean => {
  const rest = relative(folder, file);
  return rest !== '' && !rest.startsWith('..') && !isAbsolute(rest);
};

/** Whether the name is spelled as on disk: on a case-blind file system another spelling is another name for the same file. */
function spelledAsOnDisk(file: string): boolean {
  const folder = dirname(file);
  const name = basename(file);
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return true;
    throw cause;
  }
  const folded = name.normalize('NFC').toLowerCase();
  return !names.some((other) => other !== name && other.normalize('NFC').toLowerCase() === folded);
}

const outside = (target: string, why: string): Result<never> =>
  refuse('PATH_ERROR', `${JSON.stringify(target)} ${why}`, { hint: 'name a file inside the memory, such as decisions/use-sqlite.md' });

/** The path of `target` relative to `root`; refused if it leads outside. `isFree` says that no file of this name exists. */
export function contain(root: string, target: string, isFree = false): Result<string> {
  if (target === '' || target.includes('\0')) return outside(target, 'is not a file name');
  const absolute = resolve(root, target);
  if (!isInside(resolve(root), absolute) && !isInside(realPath(root), realPath(absolute))) return outside(target, 'is outside the memory');
  const lexical = isInside(resolve(root), absolute) ? relative(resolve(root), absolute) : relative(realPath(root), realPath(absolute));
  const real = realPath(join(root, lexical));
  if (relative(realPath(root), real) !== lexical) return outside(target, 'reaches the memory through a symbolic link');
  if (!isFree && !spelledAsOnDisk(join(root, lexical))) return outside(target, 'differs only in letter case from a file that exists');
  return ok(lexical.split(sep).join('/'));
}
