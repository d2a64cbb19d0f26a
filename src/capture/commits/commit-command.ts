/** The message of a `git commit` command line. */
export interface CommitMessage {
  readonly subject: string;
  readonly body: string;
}

const COMMIT = /\bgit\b[^|;&\n]*\bcommit\b(?![^\n]*--dry-run)/;

export const isCommit = (command: string): boolean => COMMIT.test(command);

const HERE_DOCUMENT = /<<-?\s*['"]?(\w+)['"]?[^\n]*\n([\s\S]*?)(?:\n\s*\1\b|$)/;
/** PowerShell's text over several lines. */
const HERE_STRING = /@(['"])\r?\n([\s\S]*?)(?:\r?\n\1@|$)/;
const QUOTED = /\s-(?:\w*m|-message)(?: |=)\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)')/g;

/** The message from `-m "…"`, a here-document or a here-string after `commit`. */
export function messageIn(command: string): CommitMessage {
  const from = command.slice(COMMIT.exec(command)?.index ?? 0);
  const block = HERE_STRING.exec(from)?.[2] ?? HERE_DOCUMENT.exec(from)?.[2];
  const parts =
    block === undefined ? [...from.matchAll(QUOTED)].map(([, double, single]) => double?.replaceAll(/\\(["\\$`])/g, '$1') ?? single ?? '') : [block];
  const [subject = '', ...rest] = parts
    .join('\n\n')
    .split('\n')
    .map((line) => line.trimEnd());
  return { subject: subject.trim(), body: rest.join('\n').trim() };
}
