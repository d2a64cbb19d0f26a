import { lstatSync, realpathSync, type Stats } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { isAnswering } from './mounts.ts';
import { ok, refuse, type Refusal, type Result } from '../../../core/result.ts';

/** A file in a folder that Holdfast does not own, such as a repository: the folder is trusted, every name below it is not. */
export interface OutsidePath {
  /** Where the file really is. */
  readonly file: string;
  readonly parent: string;
  /** What exists at the path now; undefined if nothing does. */
  readonly stats: Stats | undefined;
}

/** Of a path in a message: a record may name one of any length. */
const SHOWN_PATH = 200;

const linkRefusal = (file: string): { readonly ok: false; readonly error: Refusal } =>
  refuse('SECURITY_ERROR', `${file} is a symbolic link`, { hint: 'Holdfast follows no links here: put a real file in its place' });

/** Looks at every part below the folder: none is a link, and none leads out. */
export function findOutside(folder: string, path: string): Result<OutsidePath> {
  const names = path.split(/[/\\]/);
  if (isAbsolute(path) || names.some((name) => name === '' || name === '.' || name === '..' || name.includes('\0'))) {
    return refuse('PATH_ERROR', `${JSON.stringify(path)} leads out of ${folder}`, { hint: 'name a file inside the folder' });
  }
  if (!isAnswering(folder)) return refuse('READ_ERROR', `the file system of ${folder} does not answer`, { hint: 'try again when it does' });
  let parent = realFolder(folder);
  const last = names.pop() ?? '';
  for (const name of names) {
    parent = join(parent, name);
    const seen = lookAt(parent);
    if (!seen.ok) return seen;
    const stats = seen.value;
    if (stats?.isSymbolicLink() === true) return linkRefusal(parent);
    if (stats?.isDirectory() === false) return refuse('PATH_ERROR', `${parent} is not a folder`, { hint: 'move it away' });
  }
  const file = join(parent, last);
  const seen = lookAt(file);
  if (!seen.ok) return seen;
  const stats = seen.value;
  return stats?.isSymbolicLink() === true ? linkRefusal(file) : ok({ file, parent, stats });
}

/** A name that is too long, or a folder that may not be entered, costs itself only. */
function lookAt(file: string): Result<Stats | undefined> {
  try {
    return ok(lstatSync(file, { throwIfNoEntry: false }));
  } catch (cause) {
    return refuse('PATH_ERROR', `cannot look at ${file.slice(0, SHOWN_PATH)}: ${(cause as NodeJS.ErrnoException).code ?? 'unknown error'}`);
  }
}

/** The folder as it was asked for may be reached by links: they are the user's. */
export function realFolder(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return folder;
    throw cause;
  }
}

/** Some systems spell a path their own way. */
const folded = (path: string): string => path.normalize('NFC').toLowerCase();

/** Whether the path still leads to what was opened, without a link put in its way since it was looked at. */
export function isStillAt({ file }: OutsidePath, opened: Stats): boolean {
  try {
    if (folded(realpathSync.native(file)) !== folded(file)) return false;
    const { dev, ino } = lstatSync(file);
    return dev === opened.dev && ino === opened.ino;
  } catch {
    return false;
  }
}
