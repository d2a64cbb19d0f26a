import fs from 'node:fs';
import path from 'node:path';

/** Skips a test, with the reason, where a folder on the way to a file is closed to other users. */
export function skipIfClosedToOthers(file: string, skip: (note: string) => void): void {
  const folders = [path.dirname(path.resolve(file))];
  for (let at = folders[0] ?? '/'; at !== path.dirname(at); folders.push(at)) at = path.dirname(at);
  const closed = folders.find((folder) => (fs.statSync(folder).mode & 0o001) === 0);
  if (closed === undefined) return;
  const note = `${closed} is not open to other users`;
  console.warn(`skipped: ${note}`);
  skip(note);
}
