import { closeSync, constants, fchmodSync, fstatSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ok, refuse, type Result } from '../../../core/result.ts';
import { ioFailure } from '../durable.ts';
import { findOutside, isStillAt, realFolder, type OutsidePath } from './path.ts';

const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
const MOST_LEFTOVERS = 100;

/** Replaces or creates a file below a folder in one step, through no link; an existing file keeps its permissions. */
export function writeOutside(folder: string, path: string, text: string, mode = 0o644): Result<void> {
  try {
    const parents = makeParents(folder, path, mode | ((mode & 0o444) >> 2));
    if (!parents.ok) return parents;
    const location = findOutside(folder, path);
    if (!location.ok) return location;
    const { file, stats } = location.value;
    if (stats && !stats.isFile()) return refuse('SECURITY_ERROR', `${file} is not a regular file`, { hint: 'move it away' });
    return replace(location.value, text, stats ? stats.mode & 0o777 : mode);
  } catch (cause) {
    throw ioFailure(cause, `cannot write ${join(folder, path)}`);
  }
}

/** Removes a file below a folder. A link stays, because Holdfast did not write it. */
export function removeOutside(folder: string, path: string): Result<void> {
  const location = findOutside(folder, path);
  if (!location.ok) return location;
  const { file, stats } = location.value;
  if (!stats) return ok(undefined);
  if (!stats.isFile()) return refuse('SECURITY_ERROR', `${file} is not a regular file`);
  try {
    unlinkSync(file);
    return ok(undefined);
  } catch (cause) {
    throw ioFailure(cause, `cannot remove ${file}`);
  }
}

/** Makes the folders on the way one at a time, so that none is made behind a link; who may read the file may enter them. */
function makeParents(folder: string, path: string, mode: number): Result<void> {
  mkdirSync(realFolder(folder), { recursive: true, mode });
  const names = dirname(path).split(/[/\\]/);
  for (let depth = 1; depth <= names.length && names[0] !== '.'; depth += 1) {
    const parent = findOutside(folder, names.slice(0, depth).join('/'));
    if (!parent.ok) return parent;
    if (!parent.value.stats) mkdirSync(parent.value.file, mode);
  }
  return ok(undefined);
}

function replace(location: OutsidePath, text: string, mode: number): Result<void> {
  const { handle, temporary } = openTemporary(location);
  try {
    try {
      fchmodSync(handle, mode);
      writeFileSync(handle, text);
      fsyncSync(handle);
      // A folder swapped for a link meanwhile would have taken the new file elsewhere.
      if (!isStillAt({ ...location, file: temporary }, fstatSync(handle))) throw new Error('its folder was replaced while it was written');
    } finally {
      closeSync(handle);
    }
    renameSync(temporary, location.file);
    return ok(undefined);
  } catch (cause) {
    rmSync(temporary, { force: true });
    throw cause;
  }
}

/** Never opens an existing file, such as a leftover or a planted link: it takes the next free name. */
function openTemporary({ file, parent }: OutsidePath): { readonly handle: number; readonly temporary: string } {
  for (let attempt = 0; ; attempt += 1) {
    const temporary = join(parent, `.${basename(file)}.${process.pid}-${attempt}.holdfast.tmp`);
    try {
      return { handle: openSync(temporary, NEW_FILE, 0o600), temporary };
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST' || attempt === MOST_LEFTOVERS) throw cause;
    }
  }
}
