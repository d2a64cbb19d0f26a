import { isObject } from '../../core/value.ts';
import type { BackupOf, SetupFiles } from '../../core/ports/client-files.ts';
import { err, ok, refuse, type Result } from '../../core/result.ts';
import { unifiedDiff } from '../history/log.ts';
import { type ClientFile, clientFiles, OTHER_CLIENTS, type OtherClient, type OtherPlaces, packageOf } from './other-clients.ts';
import { editOf, type FileEdit, planRemoval, planSetup, removalOf, changedEdits, type SetupBackup, type SetupPlaces, switchBack, switchOn } from './plan.ts';
import { changesInOrder } from './settings-edits.ts';

export type SetupClient = 'claude-code' | OtherClient;

export interface ClientState {
  readonly client: OtherClient;
  readonly state: 'absent' | 'not set up' | 'partly set up' | 'set up' | 'package installed' | 'unreadable';
  /** Files that `init` would still change. */
  readonly missing: readonly string[];
}

/** Sets clients up and reverts the setup; every change can be shown before it is made. */
export interface ClientSetup {
  /** The clients whose settings are on this machine; Claude Code always. */
  installedClients(): readonly SetupClient[];
  /** Why a client cannot be set up or removed; undefined if it can. */
  obstacle(client: SetupClient, removes?: boolean): string | undefined;
  /** How far each client but Claude Code is set up. */
  states(): readonly ClientState[];
  /** `commands`: where Claude Code gets the short commands and their agents; without it they are not installed. */
  plan(clients: readonly SetupClient[], commands?: 'everywhere' | 'here'): Result<readonly FileEdit[]>;
  removal(clients: readonly SetupClient[]): Result<readonly FileEdit[]>;
  diff(edit: FileEdit): string;
  apply(edits: readonly FileEdit[], removes: boolean): Promise<Result<void>>;
}

const isOther = (client: SetupClient): client is OtherClient => client !== 'claude-code';

/** Setting up the clients of one project; `remember` enters the project into the registry. */
export function clientSetup(places: SetupPlaces, others: OtherPlaces, files: SetupFiles, remember: () => Promise<void>): ClientSetup {
  const { read } = files;
  const filesOf = (clients: readonly SetupClient[]): readonly ClientFile[] =>
    clients.filter(isOther).flatMap((client) => clientFiles(client, { ...others, worktree: places.worktree }, read));
  const backups = (of: BackupOf): SetupBackup => parseBackup(files.readBackup(of));
  const saveBackup = (of: BackupOf, backup: SetupBackup): void =>
    files.writeBackup(of, Object.keys(backup).length === 0 ? undefined : JSON.stringify(backup, null, 1));
  const isShared = (file: string): boolean => Object.values(others.folders).some((folder) => file.startsWith(`${folder}/`));
  const removalWith =
    (backup: SetupBackup) =>
    ({ file, remove }: ClientFile): Result<FileEdit> =>
      removalOf(file, read, backup, changesInOrder(remove, removeIfEmpty(backup[file])));
  return {
    installedClients: () => ['claude-code', ...OTHER_CLIENTS.filter((client) => files.hasFolder(others.folders[client]))],
    obstacle: (client, removes = false) => {
      if (!isOther(client)) return undefined;
      if (removes) {
        const removal = changedEdits(filesOf([client]).map(removalWith({ ...backups('project'), ...backups('user') })));
        return removal.ok ? undefined : removal.error.message;
      }
      const installed = packageOf(client, others);
      if (installed !== undefined && files.hasFolder(installed)) return `its package is installed in ${installed}`;
      const planned = changedEdits(filesOf([client]).map(({ file, add }) => editOf(file, read, add)));
      return planned.ok ? undefined : planned.error.message;
    },
    states: () =>
      OTHER_CLIENTS.map((client): ClientState => {
        const installed = packageOf(client, others);
        if (installed !== undefined && files.hasFolder(installed)) return { client, state: 'package installed', missing: [] };
        if (!files.hasFolder(others.folders[client])) return { client, state: 'absent', missing: [] };
        const planned = changedEdits(filesOf([client]).map(({ file, add }) => editOf(file, read, add)));
        if (!planned.ok) return { client, state: 'unreadable', missing: [planned.error.message] };
        const missing = planned.value.map(({ file }) => file);
        const isPartlySetUp = filesOf([client]).some(({ file }) => !missing.includes(file) || /holdfast/.test(read(file) ?? ''));
        return { client, state: missing.length === 0 ? 'set up' : isPartlySetUp ? 'partly set up' : 'not set up', missing };
      }),
    plan: (clients, commands) => {
      const claude = clients.includes('claude-code') ? planSetup(places, read, commands) : changedEdits([switchOn(places, read)]);
      const other = changedEdits(filesOf(clients).map(({ file, add }) => editOf(file, read, add)));
      return joined(claude, other);
    },
    removal: (clients) => {
      const projectBackup = backups('project');
      // An earlier version stored the backups of user-wide files in the project.
      const backup = { ...projectBackup, ...backups('user') };
      const foreign = filesOf(OTHER_CLIENTS);
      const claudeFiles = Object.fromEntries(
        Object.entries(projectBackup).filter(([name]) => !foreign.some(({ file }) => file === name) && name !== places.config),
      );
      const claude = clients.includes('claude-code') ? planRemoval(places, read, claudeFiles) : ok([]);
      // Memory stays on while another client is set up from this project.
      const removedFiles = new Set(filesOf(clients).map(({ file }) => file));
      const staying = changedEdits(foreign.filter(({ file }) => file in projectBackup && !removedFiles.has(file)).map(removalWith(backup)));
      const isLast = (clients.includes('claude-code') || Object.keys(claudeFiles).length === 0) && staying.ok && staying.value.length === 0;
      return joined(claude, changedEdits([...filesOf(clients).map(removalWith(backup)), ...(isLast ? [switchBack(places, read, backup)] : [])]));
    },
    diff: ({ file, before, after }) => unifiedDiff(before ?? '', after ?? '', file, file),
    apply: async (edits, removes) => {
      // Check all files before writing the first, so that a refusal changes nothing.
      for (const { file } of edits) files.check(file);
      const changed = edits.find(({ file, before }) => read(file) !== before);
      if (changed) return refuse('OCC_CONFLICT', `${changed.file} has changed in the meantime`, { hint: 'run init again; nothing was changed' });
      const createdFolder = (file: string): string | undefined => backups('user')[file]?.made ?? backups('project')[file]?.made;
      const removedFiles = removes ? edits.filter(({ after }) => after === undefined).map(({ file }) => ({ file, made: createdFolder(file) })) : [];
      if (!removes) {
        saveBackup('project', withEdits(backups('project'), edits, files.newFolder));
        saveBackup(
          'user',
          withEdits(
            backups('user'),
            edits.filter(({ file }) => isShared(file)),
            files.newFolder,
          ),
        );
        await remember();
      }
      for (const [at, { file, after }] of edits.entries()) {
        const written = files.write(file, after);
        if (written.ok) continue;
        const unrestored = edits.slice(0, at).filter((edit) => !files.write(edit.file, edit.before).ok);
        const rest = unrestored.length === 0 ? 'nothing was changed' : `changed already: ${unrestored.map((edit) => edit.file).join(', ')}`;
        return err({ ...written.error, message: `${written.error.message}; ${rest}` });
      }
      for (const { file, made: folder } of removedFiles) if (folder !== undefined) files.removeEmpty(file, folder);
      if (removes) for (const of of ['project', 'user'] as const) saveBackup(of, withoutEdits(backups(of), edits));
      return ok(undefined);
    },
  };
}

/** Removes a file that was empty before and holds only Holdfast's entries. */
const removeIfEmpty =
  (known: SetupBackup[string] | undefined) =>
  (text: string | undefined): Result<string | undefined> =>
    ok(known?.before === null && /^\s*(?:\{\s*\}\s*)?$/.test(text ?? '') ? undefined : text);

const joined = (one: Result<readonly FileEdit[]>, other: Result<readonly FileEdit[]>): Result<readonly FileEdit[]> =>
  !one.ok ? one : !other.ok ? other : ok([...one.value, ...other.value]);

/** Stores the first state of each file, however often `init` runs. A file that was edited between two runs is never restored as a whole. */
const withEdits = (backup: SetupBackup, edits: readonly FileEdit[], newFolder: SetupFiles['newFolder']): SetupBackup =>
  Object.fromEntries([
    ...Object.entries(backup),
    ...edits.map(({ file, before, after }) => {
      const known = before === undefined ? undefined : backup[file];
      if (known && known.after !== before) return [file, known] as const;
      const createdFolder = known?.made ?? (before === undefined ? newFolder(file) : undefined);
      return [
        file,
        { before: known ? known.before : (before ?? null), after: after ?? '', ...(createdFolder !== undefined && { made: createdFolder }) },
      ] as const;
    }),
  ]);

const withoutEdits = (backup: SetupBackup, edits: readonly FileEdit[]): SetupBackup =>
  Object.fromEntries(Object.entries(backup).filter(([file]) => !edits.some((edit) => edit.file === file)));

function parseBackup(text: string | undefined): SetupBackup {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return isObject(value) ? (value as SetupBackup) : {};
  } catch {
    return {};
  }
}
