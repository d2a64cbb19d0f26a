import { join } from 'node:path';
import type { CommitFacts } from '../../core/commit.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { statOf } from './read.ts';
import { isUnborn } from './refs.ts';
import type { Repository } from './repository.ts';

export type Commit = CommitFacts;

export interface CommitQuery {
  /** Milliseconds since the epoch. */
  readonly since?: number;
  readonly until?: number;
  readonly limit?: number;
  /** Only commits that touch these, from the top of the repository. */
  readonly paths?: readonly string[];
  /** Only what came after this commit; a commit that is not there any more is passed over. */
  readonly after?: string;
}

/** Loaded when first needed, since it costs a fifth of a process's start. */
const processes = (): typeof import('node:child_process') => process.getBuiltinModule('node:child_process');

const FIRST_COMMIT_MS = 2000;
const LOG_MS = 30_000;
const OUTPUT_BYTES = 256 * 1024 * 1024;

/** Whatever a repository's own config says, git neither runs a program of its choosing nor goes to the network. */
const SAFE = [
  '--no-pager',
  '--no-optional-locks',
  '-c',
  'log.showSignature=false',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'protocol.allow=never',
  '-c',
  'core.quotePath=false',
];

const argumentsFor = (repository: Repository, words: readonly string[]): string[] => [
  ...SAFE,
  `--git-dir=${repository.gitDir}`,
  ...(repository.worktree === undefined ? [] : [`--work-tree=${repository.worktree}`]),
  ...words,
];

/** The oldest commit: the same in every clone, wherever it lies. A shallow clone does not know it. */
export function firstCommit(repository: Repository): string | undefined {
  if (statOf(join(repository.commonDir, 'shallow')) !== undefined) return undefined;
  try {
    const words = argumentsFor(repository, ['rev-list', '--max-parents=0', 'HEAD']);
    const output = processes().execFileSync('git', words, {
      encoding: 'utf8',
      timeout: FIRST_COMMIT_MS,
      stdio: ['ignore', 'pipe', 'ignore'],
      windowsHide: true,
    });
    return output.trim().split('\n').at(-1) || undefined;
  } catch {
    return undefined;
  }
}

/** Opens a commit in the output: no path git prints starts so. */
const MARK = '//';
const FORMAT = `--format=${MARK}%H%x00%cI%x00%P%x00%s%x00%b`;

function parseLog(output: string): Commit[] {
  const commits: (Commit & { readonly files: string[] })[] = [];
  const fields = output.split('\0');
  for (let at = 0; at < fields.length; at += 1) {
    const field = (fields[at] ?? '').replace(/^\n/, '');
    if (field.startsWith(MARK)) {
      const [time = '', parents = '', subject = '', body = ''] = fields.slice(at + 1, at + 5);
      const epoch = Date.parse(time);
      const stamp = Number.isNaN(epoch) ? time : `${new Date(epoch).toISOString().slice(0, 19)}Z`;
      commits.push({ id: field.slice(MARK.length), at: stamp, subject, body: body.trim(), merge: parents.includes(' '), files: [] });
      at += 4;
    } else if (field !== '') commits.at(-1)?.files.push(field);
  }
  return commits;
}

/** A branch that was rewritten no longer leads to what it held. */
function hasCommit(repository: Repository, id: string): Promise<boolean> {
  if (!/^[0-9a-f]{7,64}$/.test(id)) return Promise.resolve(false);
  const words = argumentsFor(repository, ['merge-base', '--is-ancestor', id, 'HEAD']);
  return new Promise((resolve) => {
    processes().execFile('git', words, { timeout: FIRST_COMMIT_MS, windowsHide: true }, (error) => resolve(error === null));
  });
}

/** Commits of the branch that is checked out, newest first. */
export async function readCommits(repository: Repository, query: CommitQuery = {}): Promise<Result<readonly Commit[]>> {
  if (isUnborn(repository)) return ok([]);
  const { since, until, limit, paths = [], after } = query;
  const known = after !== undefined && (await hasCommit(repository, after));
  const words = argumentsFor(repository, [
    ...['log', '-z', '--name-only', '--no-color', '--no-ext-diff', '--no-textconv', '--no-renames', FORMAT],
    ...(since === undefined ? [] : [`--max-age=${Math.floor(since / 1000)}`]),
    ...(until === undefined ? [] : [`--min-age=${Math.floor(until / 1000)}`]),
    ...(limit === undefined ? [] : [`--max-count=${limit}`]),
    'HEAD',
    ...(known ? [`^${after}`] : []),
    '--',
    ...paths.map((path) => `:(top,literal)${path}`),
  ]);
  return new Promise((resolve) => {
    processes().execFile('git', words, { encoding: 'utf8', timeout: LOG_MS, maxBuffer: OUTPUT_BYTES, windowsHide: true }, (error, stdout, stderr) => {
      if (error === null) resolve(ok(parseLog(stdout)));
      else {
        const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
        const reason = missing ? 'git is not installed' : (stderr.trim().split('\n')[0] ?? error.message);
        resolve(
          refuse('IO_ERROR', `the history of ${repository.commonDir} cannot be read: ${reason}`, { hint: missing ? 'install git' : 'try git log there' }),
        );
      }
    });
  });
}
