import { ok, refuse, type Result } from './result.ts';

const DRAFT_NAME = /^\/tmp\/\.memory-(draft|write-pending)-?[^/]*\.json$/;

/** Whether a drafter may hand in a draft by this path: from the staging folder, or under the name the skill gives it in /tmp. */
export function draftPath(path: string, stagingDir: string): Result<string> {
  const plain = path.replaceAll('\\', '/');
  if (plain.split('/').includes('..'))
    return refuse('SECURITY_ERROR', `the draft's path ${JSON.stringify(path)} contains ..`, { hint: 'give the path without detours' });
  const staged = plain.startsWith(`${stagingDir.replaceAll('\\', '/').replace(/\/$/, '')}/`);
  if (staged || DRAFT_NAME.test(plain)) return ok(path);
  return refuse('SECURITY_ERROR', `the draft ${JSON.stringify(path)} is not in the staging folder`, { hint: `write it to ${stagingDir}` });
}
