import type { Environment } from '../../core/ports/host.ts';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ok, refuse, type Result } from '../../core/result.ts';
import { gitFileText } from './read.ts';
import { headCommit } from './refs.ts';
import type { Repository } from './repository.ts';

/** Loaded when first needed, since they cost a fifth of a process's start. */
const systems = (): typeof import('node:os') => process.getBuiltinModule('node:os');
const processes = (): typeof import('node:child_process') => process.getBuiltinModule('node:child_process');

const OUTPUT_BYTES = 256 * 1024 * 1024;

/**
 * An empty git directory that Holdfast makes. Git reads its configuration, hooks, attributes, grafts and refs in here and takes
 * only objects from the repository, so nothing that the repository configures can start a program or reach the network.
 */
function emptyGitDir(repository: Repository, commit: string): string {
  const folder = mkdtempSync(join(systems().tmpdir(), 'holdfast-git-'));
  const format = commit.length === 64 ? '\trepositoryformatversion = 1\n[extensions]\n\tobjectformat = sha256\n[core]\n' : '\trepositoryformatversion = 0\n';
  mkdirSync(join(folder, 'refs'));
  writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/none\n');
  writeFileSync(join(folder, 'config'), `[core]\n${format}\tbare = true\n\tfsmonitor = false\n[i18n]\n\tlogOutputEncoding = UTF-8\n`);
  // Marks where a shallow clone ends; without it git would report a missing parent as damage.
  const shallow = gitFileText(join(repository.commonDir, 'shallow'));
  if (shallow !== undefined) writeFileSync(join(folder, 'shallow'), shallow);
  return folder;
}

/** The whole environment of git: none of the user's `GIT_*` settings, no configuration but Holdfast's, no fetching of missing objects. */
const environmentIn = (gitDir: string, repository: Repository, { PATH, SystemRoot }: Environment): Record<string, string | undefined> => ({
  PATH,
  SystemRoot,
  HOME: gitDir,
  XDG_CONFIG_HOME: gitDir,
  LC_ALL: 'C',
  GIT_DIR: gitDir,
  GIT_OBJECT_DIRECTORY: join(repository.commonDir, 'objects'),
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: systems().devNull,
  GIT_ATTR_NOSYSTEM: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
});

export interface GitCommand {
  /** The environment of this process, used only to find git. */
  readonly env: Environment;
  /** Arguments after `git`, given the commit that is checked out. */
  readonly words: (head: string) => readonly string[];
  readonly timeoutMs: number;
}

const optionsIn = (gitDir: string, repository: Repository, { env, timeoutMs }: GitCommand) =>
  ({
    // Git treats the working folder as the checkout, and Windows looks there first for programs.
    cwd: gitDir,
    env: environmentIn(gitDir, repository, env),
    encoding: 'utf8',
    timeout: timeoutMs,
    maxBuffer: OUTPUT_BYTES,
    windowsHide: true,
  }) as const;

const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true });

/** The output of git; undefined if it fails, or if no commit is checked out. */
export function gitOutput(repository: Repository, command: GitCommand): string | undefined {
  const head = headCommit(repository);
  if (head === undefined) return undefined;
  const gitDir = emptyGitDir(repository, head);
  try {
    const options = { ...optionsIn(gitDir, repository, command), stdio: ['ignore', 'pipe', 'ignore'] as ['ignore', 'pipe', 'ignore'] };
    return processes().execFileSync('git', ['--no-pager', ...command.words(head)], options);
  } catch {
    return undefined;
  } finally {
    remove(gitDir);
  }
}

/** The output of git, or why it failed. */
export function runGit(repository: Repository, command: GitCommand): Promise<Result<string>> {
  const failed = (reason: string, hint: string): Result<string> =>
    refuse('IO_ERROR', `the history of ${repository.commonDir} cannot be read: ${reason}`, { hint });
  const head = headCommit(repository);
  if (head === undefined) return Promise.resolve(failed('HEAD leads to no commit stored as a file', 'run git log in that folder'));
  const gitDir = emptyGitDir(repository, head);
  return new Promise((resolve) => {
    processes().execFile('git', ['--no-pager', ...command.words(head)], optionsIn(gitDir, repository, command), (error, stdout, stderr) => {
      remove(gitDir);
      if (error === null) return resolve(ok(stdout));
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return resolve(failed('git is not installed', 'install git'));
      resolve(failed(stderr.trim().split('\n')[0] || error.message, 'run git log in that folder'));
    });
  });
}
