import { ok, refuse, type Result } from '../../core/result.ts';
import type { Author } from '../write/transaction.ts';
import { backupOf, type MemoryFile, namedAs } from './memory-file.ts';
import { charactersIn } from './size.ts';

export interface RolledBack {
  readonly file: string;
  readonly characters: number;
}

/** Puts MEMORY.md back as it was before the last update. The two change places, so that a second rollback takes the first one back. */
export const rollback = (file: MemoryFile, author: Author): Promise<Result<RolledBack>> =>
  file.write(author, async (apply) => {
    const [current, backup] = [await file.read(file.place), await file.read(backupOf(file))];
    if (!backup) {
      return refuse('NOT_FOUND', `there is no ${file.absolute(backupOf(file))}`, {
        missing: true,
        hint: 'normal before the second update; holdfast log and holdfast undo know every write',
      });
    }
    await apply({ ...file.place, copyOf: backupOf(file), op: 'write', ...namedAs(file.place) });
    if (current) await apply({ ...backupOf(file), text: current.text, op: 'write', ...namedAs(backupOf(file)) });
    return ok({ file: file.absolute(file.place), characters: charactersIn(backup.text) });
  });
