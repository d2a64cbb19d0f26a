import type { Environment } from '../../core/ports/host.ts';
import { gitOutput } from './run.ts';
import { repositoryHolding } from './repository.ts';

const BLOB = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
const TIMEOUT_MS = 5_000;

/** The text that a file had when git knew it by this hash; undefined where git never stored it. */
export function blobText(worktree: string, blob: string, env: Environment): string | undefined {
  const repository = BLOB.test(blob) ? repositoryHolding(worktree) : undefined;
  return repository && gitOutput(repository, { env, words: () => ['cat-file', 'blob', blob], timeoutMs: TIMEOUT_MS });
}
