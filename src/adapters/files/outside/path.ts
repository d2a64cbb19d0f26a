import { lstatSync, realpathSync, type Stats } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { isAnswering } from './mounts.ts';
import { ok, refuse, type Refusal, type Result } from '../../../core/result.ts';

/** A file in a folder that Holdfast does not own, such as a repository: the folder is trusted, every name below it is not. */
export interface OutsidePath {
  /** The path with the links above the folder resolved. */
  readonly file: string;
  readonly parent: string;
  /** Undefined if the file does not exist. */
  readonly stats: Stats | undefined;
}

/** Longer paths are cut in messages: a record may name one of any length. */
const MESSAGE_PATH_LENGTH = 200;

const linkRefusal = (file: string): { readonly ok: false; readonly error: Refusal } =>
  refuse('SECURITY_ERROR', `${file} is a symbolic link`, { hint: 'Holdfast follows no links here: put a real file in its place' });

/** Checks every part of the path below the folder: none may be a link or lead out. */
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
    const checked = statPath(parent);
    if (!checked.ok) return checked;
    const stats = checked.value;
    if (stats?.isSymbolicLink() === true) return linkRefusal(parent);
    if (stats?.isDirectory() === false) return refuse('PATH_ERROR', `${parent} is not a folder`, { hint: 'move it away' });
  }
  const file = join(parent, last);
  const checked = statPath(file);
  if (!checked.ok) return checked;
  const stats = checked.value;
  return stats?.isSymbolicLink() === true ? linkRefusal(file) : ok({ file, parent, stats });
}

/** An over-long name or a closed folder is a refusal, so that it spoils only this path. */
function statPath(file: string): Result<Stats | undefined> {
  try {
    return ok(lstatSync(file, { throwIfNoEntry: false }));
  } catch (cause) {
    return refuse('PATH_ERROR', `cannot read the state of ${file.slice(0, MESSAGE_PATH_LENGTH)}: ${(cause as NodeJS.ErrnoException).code ?? 'unknown error'}`);
  }
}

/** Links on the way to the folder itself are the user's, so they are followed. */
export function realFolder(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return folder;
    throw cause;
  }
}

/** Some systems change letter case or Unicode form of a path. */
const folded = (path: string): string => path.normalize('NFC').toLowerCase();

/** Whether the path still leads to the opened file: no link was put in its way since the check. */
export function isStillAt({ file }: OutsidePath, opened: Stats): boolean {
  try {
    if (folded(realpathSync.native(file)) !== folded(file)) return false;
    const { dev, ino } = lstatSync(file);
    return dev === opened.dev && ino === opened.ino;
  } catch {
    return false;
  }
}
