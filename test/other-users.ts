import fs from 'node:fs';
import path from 'node:path';

/** Why other users cannot reach a file: a folder on the way to it is closed to them. Undefined if they can. */
export function whyClosedToOthers(file: string): string | undefined {
  const folders = [path.dirname(path.resolve(file))];
  for (let at = folders[0] ?? '/'; at !== path.dirname(at); folders.push(at)) at = path.dirname(at);
  const closed = folders.find((folder) => (fs.statSync(folder).mode & 0o001) === 0);
  return closed === undefined ? undefined : `${closed} is not open to other users`;
}

/** Skips a test, with the reason, where other users cannot reach a file. */
export function skipIfClosedToOthers(file: string, skip: (note: string) => void): void {
  const note = whyClosedToOthers(file);
  if (note === undefined) return;
  console.warn(`skipped: ${note}`);
  skip(note);
}
