import { existsSync, lstatSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { FILE_BYTES } from '../../../core/limits.ts';
import { ok, refuse, type Result } from '../../../core/result.ts';
import { realPath } from '../containment.ts';
import { textOutside } from './read.ts';

export interface FolderAndName {
  readonly folder: string;
  readonly path: string;
}

/** A file of the user's own folder, such as ~/.claude/settings.json: a dotfile manager may have linked it, so links of the user or root are followed. */
export function ownFile(file: string): Result<FolderAndName> {
  for (let path = file; dirname(path) !== path; path = dirname(path)) {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats?.isSymbolicLink() === true && process.getuid !== undefined && ![0, process.getuid()].includes(stats.uid)) {
      return refuse('SECURITY_ERROR', `${path} is a symbolic link that belongs to another user`, { hint: 'replace it with your own file or link' });
    }
  }
  const real = realPath(file);
  return ok({ folder: dirname(real), path: basename(real) });
}

/** The text of one of the user's own files; undefined if it cannot be read. */
export function ownText(file: string, limit: number): { readonly text: string; readonly mtimeMs: number } | undefined {
  const location = ownFile(file);
  return location.ok ? textOutside(location.value.folder, location.value.path, limit) : undefined;
}

/** The project of a transcript, which Gemini CLI writes to `.project_root` above its chats. */
export function geminiProject(transcript: string): string | undefined {
  const folder = dirname(dirname(transcript));
  const note = [folder, dirname(folder)].map((parent) => join(parent, '.project_root')).find((file) => existsSync(file));
  return note === undefined ? undefined : ownText(note, FILE_BYTES.settings)?.text.trim();
}
