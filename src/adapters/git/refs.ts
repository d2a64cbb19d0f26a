import { join } from 'node:path';
import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, readSync } from 'node:fs';
import { type ConfigLine, parseGitConfig } from './config.ts';
import { gitFileText } from './read.ts';
import type { Repository } from './repository.ts';

const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
/** A hostile HEAD must not lead out of the repository. */
const REF = /^refs\/(?!.*(?:^|\/)\.\.?(?:\/|$))[^\s\\]+$/;
const SYMBOLIC_DEPTH = 5;

const symbolicTarget = (text: string | undefined): string | undefined => {
  const ref = /^ref:\s*(\S+)\s*$/.exec(text?.trim() ?? '')?.[1];
  return ref !== undefined && REF.test(ref) ? ref : undefined;
};

/** The branch that is checked out; undefined when HEAD is detached or cannot be read. */
export function currentBranch(repository: Repository): string | undefined {
  const branch = /^refs\/heads\/(.+)$/.exec(symbolicTarget(gitFileText(join(repository.gitDir, 'HEAD'))) ?? '')?.[1];
  // A repository whose refs are not files keeps this placeholder in HEAD.
  return branch === '.invalid' ? undefined : branch;
}

function packedRef(repository: Repository, ref: string): string | undefined {
  const text = gitFileText(join(repository.commonDir, 'packed-refs')) ?? '';
  for (let at = text.indexOf(` ${ref}`); at >= 0; at = text.indexOf(` ${ref}`, at + 1)) {
    const end = text[at + 1 + ref.length];
    if (end === undefined || end === '\n' || end === '\r') return text.slice(text.lastIndexOf('\n', at) + 1, at);
  }
  return undefined;
}

/** The commit that is checked out; undefined before the first one. */
export function headCommit(repository: Repository): string | undefined {
  let text = gitFileText(join(repository.gitDir, 'HEAD'));
  for (let depth = 0; depth < SYMBOLIC_DEPTH; depth += 1) {
    const ref = symbolicTarget(text);
    if (ref === undefined) break;
    text = gitFileText(join(repository.gitDir, ref)) ?? gitFileText(join(repository.commonDir, ref)) ?? packedRef(repository, ref);
  }
  const commit = text?.trim();
  return commit !== undefined && COMMIT.test(commit) ? commit : undefined;
}

/** Whether the branch that is checked out has no commit yet. */
export const isUnborn = (repository: Repository): boolean => currentBranch(repository) !== undefined && headCommit(repository) === undefined;

const remoteLines = (repository: Repository): readonly ConfigLine[] =>
  parseGitConfig(gitFileText(join(repository.commonDir, 'config')) ?? '').filter(
    ({ section, key, value }) => section === 'remote' && key === 'url' && value !== '',
  );

/** The URLs of all remotes, by name, as they are configured. */
export const remoteUrls = (repository: Repository): ReadonlyMap<string, string> =>
  new Map(
    remoteLines(repository)
      .toReversed()
      .map((line) => [line.subsection, line.value]),
  );

/** The URL of `origin`, or of the first remote where there is no origin, as it is configured. */
export function remoteUrl(repository: Repository): string | undefined {
  const urls = remoteLines(repository);
  return (urls.find((line) => line.subsection === 'origin') ?? urls[0])?.value;
}

const CHUNK = 1 << 20;
/** A larger file is no source file, and hashing it would slow down a save. */
const LARGEST = 64 << 20;

function feed(path: string, size: number, take: (bytes: Buffer) => void): boolean {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    if (!fstatSync(file).isFile()) return false;
    const buffer = Buffer.allocUnsafe(Math.min(CHUNK, Math.max(1, size)));
    let remaining = size;
    while (remaining > 0) {
      const read = readSync(file, buffer, 0, Math.min(remaining, buffer.length), null);
      if (read === 0) return false;
      take(buffer.subarray(0, read));
      remaining -= read;
    }
    return readSync(file, buffer, 0, 1, null) === 0;
  } finally {
    closeSync(file);
  }
}

/** The id that `git hash-object --no-filters` gives to a file's content; undefined if it is not a file. */
export function blobHash(path: string, algorithm: 'sha1' | 'sha256' = 'sha1'): string | undefined {
  // Loaded when first needed, since it costs a tenth of a process's start.
  const { createHash } = process.getBuiltinModule('node:crypto');
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat?.isSymbolicLink() === true) {
      const target = readlinkSync(path, 'buffer');
      return createHash(algorithm).update(`blob ${target.length}\0`).update(target).digest('hex');
    }
    if (stat?.isFile() !== true || stat.size > LARGEST) return undefined;
    const hash = createHash(algorithm).update(`blob ${stat.size}\0`);
    // A file that changes size while it is read has no single content.
    return feed(path, stat.size, (bytes) => hash.update(bytes)) ? hash.digest('hex') : undefined;
  } catch {
    return undefined;
  }
}
