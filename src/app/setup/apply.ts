import { isObject } from '../../core/value.ts';
import type { SetupFiles } from '../../core/ports/client-files.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { unifiedDiff } from '../history/log.ts';
import { type FileEdit, type SetupBackup, planRemoval, planSetup, type SetupPlaces } from './plan.ts';

/** Sets a client up and reverts that; every change is shown before it is made. */
export interface ClientSetup {
  /** With the short commands and their agents for all projects, for this one, or without them. */
  plan(commands?: 'everywhere' | 'here'): Result<readonly FileEdit[]>;
  removal(): Result<readonly FileEdit[]>;
  diff(edit: FileEdit): string;
  apply(edits: readonly FileEdit[], removes: boolean): Promise<Result<void>>;
}

/** Setting up the client of one project; `remember` enters the project into the registry. */
export function clientSetup(places: SetupPlaces, files: SetupFiles, remember: () => Promise<void>): ClientSetup {
  return {
    plan: (commands) => planSetup(places, files.read, commands),
    removal: () => planRemoval(places, files.read, parseBackup(files.readBackup())),
    diff: ({ file, before, after }) => unifiedDiff(before ?? '', after ?? '', file, file),
    apply: async (edits, removes) => {
      // Looked at before the first is written: a file that may not be changed leaves all as they are.
      for (const { file } of edits) files.check(file);
      const changed = edits.find(({ file, before }) => files.read(file) !== before);
      if (changed) return refuse('OCC_CONFLICT', `${changed.file} has changed meanwhile`, { hint: 'run init again; nothing was changed' });
      if (!removes) {
        files.writeBackup(JSON.stringify(withEdits(parseBackup(files.readBackup()), edits), null, 1));
        await remember();
      }
      for (const { file, after } of edits) {
        const done = files.write(file, after);
        if (!done.ok) return done;
      }
      if (removes) files.writeBackup(undefined);
      return ok(undefined);
    },
  };
}

/** The first state of each file is kept, however often `init` runs. */
const withEdits = (backup: SetupBackup, edits: readonly FileEdit[]): SetupBackup =>
  Object.fromEntries([
    ...Object.entries(backup),
    ...edits.map(({ file, before, after }) => [file, { before: backup[file]?.before ?? before ?? null, after: after ?? '' }] as const),
  ]);

function parseBackup(text: string | undefined): SetupBackup {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return isObject(value) ? (value as SetupBackup) : {};
  } catch {
    return {};
  }
}
