import type { Md5 } from '../ports/host.ts';

/** A path with forward slashes and none at the end. Letter case stays. */
export const tidyPath = (path: string): string => path.replaceAll('\\', '/').replace(/(?<!\/)\/+$/, '');

/** No system opens a longer path. */
const LONGEST_PATH = 4096;

/** The nearest folder whose path can exist: a hook or a transcript may name one of any length. */
export function possiblePath(path: string): string {
  if (path.length <= LONGEST_PATH) return path;
  const cut = path.slice(0, LONGEST_PATH);
  return cut.slice(0, Math.max(1, cut.lastIndexOf('/'), cut.lastIndexOf('\\')));
}

/** Twelve hex digits that stand for a folder; paths that differ in letter case share them. */
export const hashProjectPath = (path: string, md5: Md5): string => md5(tidyPath(path.toLowerCase())).slice(0, 12);

const DEFAULT_PORTS: Readonly<Record<string, string>> = { ssh: '22', https: '443', http: '80', git: '9418', ftp: '21', ftps: '990' };

const SCHEME = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/i;
const AUTHORITY = /^(?:[^@/]*@)?(\[[^\]]*\]|[^:/]*)(?::(\d*))?(\/.*)?$/;
const SCP = /^(?:[^@/]*@)?(\[[^\]]*\]|[^:/\\]{2,}):(.*)$/;

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};

const place = (path: string): string =>
  path
    .replaceAll('\\', '/')
    .replace(/\/{2,}/g, '/')
    .replace(/^\/+|\/+$/g, '')
    .replace(/(?<=.)\.git$/i, '')
    .replace(/\/+$/, '');

/** One spelling for every way to write a remote: `host/owner/name`, without scheme, credentials, default port and `.git`. */
export function normalRemote(url: string): string | undefined {
  const text = url.trim();
  if (text === '') return undefined;
  const [, scheme, rest] = SCHEME.exec(text) ?? [];
  if (scheme !== undefined && rest !== undefined) {
    const plain = scheme.toLowerCase().replace(/^git\+|\+git$/g, '');
    if (plain === 'file') return `file:/${place(decoded(rest))}`;
    const [, host = '', port = '', path = ''] = AUTHORITY.exec(rest.replace(/[?#].*$/, '')) ?? [];
    if (host === '') return undefined;
    const portSuffix = port === '' || port === DEFAULT_PORTS[plain] ? '' : `:${port}`;
    return `${host.toLowerCase()}${portSuffix}/${place(decoded(path))}`;
  }
  const [, host, path] = SCP.exec(text) ?? [];
  if (host !== undefined && path !== undefined) return `${host.toLowerCase()}/${place(path)}`;
  return `file:/${place(text)}`;
}

/** The reason why two folders are one project. */
export type IdentityRule = 'repository' | 'worktree' | 'remote';

/** The facts about a folder. Links are resolved, paths absolute. */
export interface FolderFacts {
  readonly path: string;
  /** The folder is no longer there. */
  readonly gone?: boolean;
  readonly gitCommonDir?: string;
  /** A linked worktree's own part of the repository; the common directory elsewhere. */
  readonly gitDir?: string;
  /** The checkout points to the git directory, but that does not point back. */
  readonly unconfirmed?: boolean;
  /** Top of the checkout that holds the folder. */
  readonly worktree?: string;
  /** Top of the repository's main checkout. */
  readonly mainWorktree?: string;
  /** Differs if another folder is put in the place of the one that the repository is named after. */
  readonly folderId?: () => string | undefined;
  /** Reads a file, so it is called only for unknown folders or if remotes decide. */
  readonly remote?: () => string | undefined;
  /** Starts a process, so it is called only to recognise a repository that has moved. */
  readonly firstCommit?: () => string | undefined;
}

/** The identity of a folder, and the folder that it is named after. */
export interface FolderIdentity {
  readonly identity: string;
  readonly path: string;
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** The folder a repository is named after: its main checkout, or where a bare one lies. */
function repositoryFolder(commonDir: string, mainWorktree: string | undefined): string {
  if (mainWorktree !== undefined) return tidyPath(mainWorktree) || '/';
  const tidy = tidyPath(commonDir);
  return nameOf(tidy).startsWith('.') ? tidy.slice(0, -nameOf(tidy).length - 1) || '/' : tidy;
}

/** An unconfirmed checkout is identified by its own path only, not by the place, remote or history of the repository that it points to. */
export function withoutRepository({ path, gone, worktree = path }: FolderFacts): FolderFacts {
  const dotGit = `${tidyPath(worktree)}/.git`;
  return { path, ...(gone && { gone }), worktree, mainWorktree: worktree, gitCommonDir: dotGit, gitDir: dotGit };
}

export const remoteOf = (facts: FolderFacts): string | undefined => normalRemote(facts.remote?.() ?? '');

export function folderIdentity(facts: FolderFacts, rule: IdentityRule): FolderIdentity {
  const { path, gitCommonDir, gitDir = gitCommonDir, worktree, mainWorktree } = facts;
  if (gitCommonDir === undefined || gitDir === undefined) return { identity: `path:${tidyPath(path) || '/'}`, path: tidyPath(path) || '/' };
  const folder = repositoryFolder(gitCommonDir, mainWorktree);
  if (rule === 'worktree') return { identity: `worktree:${tidyPath(gitDir)}`, path: worktree === undefined ? folder : tidyPath(worktree) || '/' };
  const remote = rule === 'remote' ? remoteOf(facts) : undefined;
  return { identity: remote === undefined ? `git:${tidyPath(gitCommonDir)}` : `remote:${remote}`, path: folder };
}
