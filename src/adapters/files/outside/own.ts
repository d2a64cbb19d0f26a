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

/** A file of the user's own folder, such as ~/.claude/settings.json: a dotfile manager may have linked it, and such a link is the user's word. */
export function ownFile(file: string): Result<FolderAndName> {
  for (let at = file; dirname(at) !== at; at = dirname(at)) {
    const stats = lstatSync(at, { throwIfNoEntry: false });
    if (stats?.isSymbolicLink() === true && process.getuid !== undefined && ![0, process.getuid()].includes(stats.uid)) {
      return refuse('SECURITY_ERROR', `${at} is a symbolic link that belongs to another user`, { hint: 'replace it by your own' });
    }
  }
  const real = realPath(file);
  return ok({ folder: dirname(real), path: basename(real) });
}

/** The text of a file of the user's own; undefined if there is none that may be read. */
export function ownText(file: string, limit: number): { readonly text: string; readonly mtimeMs: number } | undefined {
  const found = ownFile(file);
  return found.ok ? textOutside(found.value.folder, found.value.path, limit) : undefined;
}

/** The project of a transcript, as Gemini CLI notes it in the folder of its chats. */
export function geminiProject(transcript: string): string | undefined {
  const folder = dirname(dirname(transcript));
  const note = [folder, dirname(folder)].map((one) => join(one, '.project_root')).find((file) => existsSync(file));
  return note === undefined ? undefined : ownText(note, FILE_BYTES.settings)?.text.trim();
}
