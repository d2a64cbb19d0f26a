/** A commit made in the session. */
export interface SessionCommit {
  readonly subject: string;
  readonly hash?: string;
  /** The message that tells of it. */
  readonly messageId?: string;
}

const COMMIT = /\bgit\b[^|;&]*\bcommit\b(?![^\n]*--dry-run)/;

export const isCommit = (command: string): boolean => COMMIT.test(command);

/** The subject that a command line gives: `-m "…"` or the first line of a here-document. */
function subjectIn(command: string): string {
  const document = /<<-?\s*['"]?(\w+)['"]?\s*\n\s*([^\n]+)/.exec(command)?.[2];
  const quoted = /\s-(?:a?m|-message)[ =]\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)')/.exec(command);
  return (document ?? quoted?.[1] ?? quoted?.[2] ?? '').split('\n')[0]?.trim() ?? '';
}

const REFUSED = new RegExp(
  [
    'nothing to commit|no changes added|script failed|FAILED: git commit|error: pathspec|fatal:|Aborting commit',
    'pre-commit hook (?:failed|exited)|husky - .* (?:failed|exited)',
  ].join('|'),
  'i',
);

/** The commit that an answer tells of; undefined when none was made. */
export function commitFrom(command: string, answer: string, failed: boolean): SessionCommit | undefined {
  const made = /^\[[^\]\s]+(?: \([^)]*\))? ([0-9a-f]{7,40})\] (.+)$/m.exec(answer);
  if (made) return { hash: made[1] as string, subject: (made[2] as string).trim() };
  if (failed || REFUSED.test(answer)) return undefined;
  const subject = subjectIn(command);
  return subject === '' ? undefined : { subject };
}
