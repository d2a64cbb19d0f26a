import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CommitFacts } from '../../core/episode/episode.ts';
import { ok, type Result } from '../../core/result.ts';
import { statOf } from './read.ts';
import { isUnborn } from './refs.ts';
import type { Repository } from './repository.ts';
import type { Environment } from '../../core/ports/host.ts';
import { gitOutput, runGit } from './run.ts';

export type Commit = CommitFacts;

export interface CommitQuery {
  /** Milliseconds since the epoch. */
  readonly since?: number;
  readonly until?: number;
  readonly limit?: number;
  /** Only commits that touch these, from the top of the repository. */
  readonly paths?: readonly string[];
  /** Only commits after this one; ignored if it no longer exists. */
  readonly after?: string;
}

const FIRST_COMMIT_MS = 2000;
const LOG_MS = 30_000;

/** The oldest commit: the same in every clone, wherever it lies. A shallow clone does not know it. */
export function firstCommit(repository: Repository, env: Environment): string | undefined {
  if (statOf(join(repository.commonDir, 'shallow')) !== undefined) return undefined;
  const output = gitOutput(repository, { env, words: (head) => ['rev-list', '--max-parents=0', head], timeoutMs: FIRST_COMMIT_MS });
  return output?.trim().split('\n').at(-1) || undefined;
}

/** Begins a commit in the output; no path that git prints begins so. */
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
      const isoTime = Number.isNaN(epoch) ? time : `${new Date(epoch).toISOString().slice(0, 19)}Z`;
      commits.push({ id: field.slice(MARK.length), at: isoTime, subject, body: body.trim(), merge: parents.includes(' '), files: [] });
      at += 4;
    } else if (field !== '') commits.at(-1)?.files.push(field);
  }
  return commits;
}

/** A rewritten branch no longer leads to its old commits. */
async function hasCommit(repository: Repository, id: string, env: Environment): Promise<boolean> {
  if (!/^[0-9a-f]{7,64}$/.test(id)) return false;
  return (await runGit(repository, { env, words: (head) => ['merge-base', '--is-ancestor', id, head], timeoutMs: FIRST_COMMIT_MS })).ok;
}

/** Commits of the branch that is checked out, newest first. */
export async function readCommits(repository: Repository, query: CommitQuery, env: Environment): Promise<Result<readonly Commit[]>> {
  if (isUnborn(repository)) return ok([]);
  const { since, until, limit, paths = [], after } = query;
  const hasAfter = after !== undefined && (await hasCommit(repository, after, env));
  const words = (head: string): readonly string[] => [
    ...['log', '-z', '--name-only', '--no-color', '--no-ext-diff', '--no-textconv', '--no-renames', '--no-show-signature', FORMAT],
    ...(since === undefined ? [] : [`--max-age=${Math.floor(since / 1000)}`]),
    ...(until === undefined ? [] : [`--min-age=${Math.floor(until / 1000)}`]),
    ...(limit === undefined ? [] : [`--max-count=${limit}`]),
    head,
    ...(hasAfter ? [`^${after}`] : []),
    '--',
    ...paths.map((path) => `:(top,literal)${path}`),
  ];
  const output = await runGit(repository, { env, words, timeoutMs: LOG_MS });
  return output.ok ? ok(parseLog(output.value)) : output;
}

/** The newest commit that an import has read, in a file. The file may be lost: an import saves nothing twice. */
export const seenCommitFile = (file: string): { read(): string | undefined; note(id: string): void } => ({
  read: () => (existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined),
  note: (id) => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${id}\n`);
  },
});

const BLOB = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
const BLOB_MS = 5_000;

/** The text that a file had when git knew it by this hash; undefined if git never stored it. */
export const blobText = (repository: Repository, blob: string, env: Environment): string | undefined =>
  BLOB.test(blob) ? gitOutput(repository, { env, words: () => ['cat-file', 'blob', blob], timeoutMs: BLOB_MS }) : undefined;
