import fs from 'node:fs';
import path from 'node:path';

/** Derived from the files: any command, a refused one among them, may bring it up to date. */
const INDEX = /^index\.db(-wal|-shm)?$/;

export interface Seen {
  readonly mode: string;
  readonly inode?: number;
  readonly mtimeMs?: number;
  readonly text?: string;
  readonly link?: string;
}

/** Everything under some folders, byte for byte, with what would tell that a file was written again. */
export function everythingUnder(...folders: readonly string[]): Record<string, Seen> {
  const seen: Record<string, Seen> = {};
  const visit = (at: string): void => {
    const stat = fs.lstatSync(at, { throwIfNoEntry: false });
    if (!stat || INDEX.test(path.basename(at))) return;
    const mode = (stat.mode & 0o7777).toString(8);
    if (stat.isSymbolicLink()) seen[at] = { mode, link: fs.readlinkSync(at) };
    else if (stat.isDirectory()) {
      seen[at] = { mode };
      for (const name of fs.readdirSync(at)) visit(path.join(at, name));
    } else seen[at] = { mode, inode: stat.ino, mtimeMs: stat.mtimeMs, text: fs.readFileSync(at, 'latin1') };
  };
  for (const folder of folders) visit(folder);
  return seen;
}
