import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
  existsSync,
} from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import type { Staging, Leftovers, StagingFolders } from '../../core/ports/staging.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { ioFailure, makeFolder } from './durable.ts';
import { safeSessionId } from '../../core/project/filename.ts';
import { isInside } from './containment.ts';
import { belongsToUser, StagedLeftovers } from './leftovers.ts';

const LIMIT_BYTES = 1024 * 1024;
const OTHERS_WRITE = 0o022;
const STICKY = 0o1000;
const NO_FOLLOW = process.platform === 'win32' ? 0 : constants.O_NOFOLLOW;

const unsafe = (path: string, why: string): Result<never> => refuse('SECURITY_ERROR', `${path} ${why}`, { hint: 'clear staging.dir to use a private folder' });

const isAbsent = (cause: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes((cause as NodeJS.ErrnoException).code ?? '');

/** Drafts and context files in a private folder, or in a shared one such as /tmp, where each file is checked before and after it is opened. */
export class FileStaging implements Staging {
  readonly folder: string;
  readonly isPrivate: boolean;

  constructor(folder: string, isPrivate: boolean) {
    this.folder = resolve(folder);
    this.isPrivate = isPrivate;
  }

  async put(name: string, text: string): Promise<Result<string>> {
    if (name !== basename(name)) return unsafe(name, 'is not a file name');
    const folder = this.#open();
    if (!folder.ok) return folder;
    const path = join(this.folder, name);
    try {
      const existing = lstatSync(path, { throwIfNoEntry: false });
      if (existing && (!existing.isFile() || !belongsToUser(existing))) return unsafe(path, 'exists and is not your own regular file');
      rmSync(path, { force: true });
      const handle = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW, 0o600);
      try {
        writeFileSync(handle, text);
      } finally {
        closeSync(handle);
      }
      return ok(path);
    } catch (cause) {
      throw ioFailure(cause, `cannot write ${path}`);
    }
  }

  async list(): Promise<readonly string[]> {
    try {
      return readdirSync(this.folder)
        .toSorted()
        .map((name) => join(this.folder, name));
    } catch (cause) {
      if (isAbsent(cause)) return [];
      throw ioFailure(cause, `cannot list ${this.folder}`);
    }
  }

  async read(path: string): Promise<Result<string>> {
    try {
      const [parent, home] = [realpathSync(dirname(path)), realpathSync(this.folder)];
      if (parent !== home && !parent.startsWith(home + sep) && parent !== realpathSync('/tmp')) return unsafe(path, 'leads out of the staging folder');
      const handle = openSync(path, constants.O_RDONLY | NO_FOLLOW | constants.O_NONBLOCK);
      try {
        const stats = fstatSync(handle);
        if (!stats.isFile() || !belongsToUser(stats) || stats.nlink > 1) return unsafe(path, 'is not your own regular file, or has hard links');
        if (stats.size > LIMIT_BYTES) return refuse('INPUT_ERROR', `${path} is larger than ${LIMIT_BYTES} bytes`);
        return ok(readFileSync(handle, 'utf8'));
      } finally {
        closeSync(handle);
      }
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ELOOP') return unsafe(path, 'is a symbolic link');
      if (isAbsent(cause)) return refuse('INPUT_ERROR', `${path} does not exist.`, { missing: true });
      throw ioFailure(cause, `cannot read ${path}`);
    }
  }

  async remove(path: string): Promise<void> {
    rmSync(path, { force: true });
  }

  /** A private folder is created for its user alone; in any other, other users must not be able to replace files. */
  #open(): Result<true> {
    if (!this.isPrivate) {
      const stats = statSync(this.folder, { throwIfNoEntry: false });
      if (!stats?.isDirectory()) return refuse('CONFIG_ERROR', `${this.folder} is not a folder.`, { hint: 'create it, or clear staging.dir' });
      return belongsToUser(stats) || (stats.mode & STICKY) !== 0 ? ok(true) : unsafe(this.folder, 'belongs to another user');
    }
    makeFolder(this.folder);
    const stats = lstatSync(this.folder);
    if (!stats.isDirectory() || !belongsToUser(stats)) return unsafe(this.folder, 'is not your own folder');
    // The folder's mode stays as it is, because each file in it is private by its own mode.
    if (process.platform !== 'win32' && (stats.mode & OTHERS_WRITE) !== 0) return unsafe(this.folder, 'can be written by other users');
    return ok(true);
  }
}

/** A private staging folder for each session, or the one folder that the settings name. */
export class HomeStaging implements StagingFolders {
  readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  ofSession(sessionId: string | undefined, named: string): Staging {
    if (named !== '') return new FileStaging(named, false);
    const safe = safeSessionId(sessionId ?? '');
    return new FileStaging(join(this.root, safe.ok ? safe.value : 'unnamed'), true);
  }

  putFile(path: string, named: string, text: string): Promise<Result<string>> {
    // A draft may also lie in the system's temporary folder, which other users share.
    const isPrivate = named === '' && isInside(this.root, path);
    return new FileStaging(dirname(path), isPrivate).put(basename(path), text);
  }

  leftovers(named: string): Leftovers {
    return named === '' ? new StagedLeftovers(this.root, true) : new StagedLeftovers(named, false);
  }

  exists(path: string): boolean {
    return existsSync(path);
  }
}
