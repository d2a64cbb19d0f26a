import { isObject } from '../../core/value.ts';
import type { SetupFiles } from '../../core/ports/client-files.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { unifiedDiff } from '../history/log.ts';
import { type ClientFile, clientFiles, OTHER_CLIENTS, type OtherClient, type OtherPlaces, packageOf } from './other-clients.ts';
import {
  editOf,
  type FileEdit,
  changesInOrder,
  planRemoval,
  planSetup,
  removalOf,
  settled,
  type SetupBackup,
  type SetupPlaces,
  switchBack,
  switchOn,
} from './plan.ts';

export type SetupClient = 'claude-code' | OtherClient;

export interface ClientState {
  readonly client: OtherClient;
  readonly state: 'absent' | 'not set up' | 'partly set up' | 'set up' | 'package installed' | 'unreadable';
  /** Files that `init` would still change. */
  readonly missing: readonly string[];
}

/** Sets clients up and reverts that; every change is shown before it is made. */
export interface ClientSetup {
  /** The clients whose settings are on this machine; Claude Code always. */
  found(): readonly SetupClient[];
  /** Why a client is not set up; undefined if nothing is in the way. */
  obstacle(client: SetupClient): string | undefined;
  /** How far each client but Claude Code is set up. */
  states(): readonly ClientState[];
  /** For Claude Code with the short commands and their agents for all projects, for this one, or without them. */
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
  return {
    found: () => ['claude-code', ...OTHER_CLIENTS.filter((client) => files.hasFolder(others.folders[client]))],
    obstacle: (client) => {
      if (!isOther(client)) return undefined;
      const installed = packageOf(client, others);
      if (installed !== undefined && files.hasFolder(installed)) return `its package is installed in ${installed}`;
      const planned = settled(filesOf([client]).map(({ file, add }) => editOf(file, read, add)));
      return planned.ok ? undefined : planned.error.message;
    },
    states: () =>
      OTHER_CLIENTS.map((client): ClientState => {
        const installed = packageOf(client, others);
        if (installed !== undefined && files.hasFolder(installed)) return { client, state: 'package installed', missing: [] };
        if (!files.hasFolder(others.folders[client])) return { client, state: 'absent', missing: [] };
        const planned = settled(filesOf([client]).map(({ file, add }) => editOf(file, read, add)));
        if (!planned.ok) return { client, state: 'unreadable', missing: [planned.error.message] };
        const missing = planned.value.map(({ file }) => file);
        const isBegun = filesOf([client]).some(({ file }) => !missing.includes(file) || /holdfast/.test(read(file) ?? ''));
        return { client, state: missing.length === 0 ? 'set up' : isBegun ? 'partly set up' : 'not set up', missing };
      }),
    plan: (clients, commands) => {
      const claude = clients.includes('claude-code') ? planSetup(places, read, commands) : settled([switchOn(places, read)]);
      const other = settled(filesOf(clients).map(({ file, add }) => editOf(file, read, add)));
      return joined(claude, other);
    },
    removal: (clients) => {
      const kept = parseBackup(files.readBackup());
      const foreign = new Set(filesOf(OTHER_CLIENTS).map(({ file }) => file));
      const own = Object.fromEntries(Object.entries(kept).filter(([file]) => !foreign.has(file) && file !== places.config));
      const removed = filesOf(clients).map(({ file, remove }) => removalOf(file, read, kept, changesInOrder(remove, emptied(kept[file]))));
      const claude = clients.includes('claude-code') ? planRemoval(places, read, own) : ok([]);
      // Memory stays on for the clients that stay.
      const taken = new Set([...(clients.includes('claude-code') ? Object.keys(own) : []), ...filesOf(clients).map(({ file }) => file), places.config]);
      const isLast = Object.keys(kept).every((file) => taken.has(file));
      return joined(claude, settled([...removed, ...(isLast ? [switchBack(places, read, kept)] : [])]));
    },
    diff: ({ file, before, after }) => unifiedDiff(before ?? '', after ?? '', file, file),
    apply: async (edits, removes) => {
      // Looked at before the first is written: a file that may not be changed leaves all as they are.
      for (const { file } of edits) files.check(file);
      const changed = edits.find(({ file, before }) => read(file) !== before);
      if (changed) return refuse('OCC_CONFLICT', `${changed.file} has changed meanwhile`, { hint: 'run init again; nothing was changed' });
      const backup = parseBackup(files.readBackup());
      if (!removes) {
        files.writeBackup(JSON.stringify(withEdits(backup, edits), null, 1));
        await remember();
      }
      for (const { file, after } of edits) {
        const done = files.write(file, after);
        if (!done.ok) return done;
      }
      if (removes) {
        const left = Object.entries(backup).filter(([file]) => !edits.some((edit) => edit.file === file));
        files.writeBackup(left.length === 0 ? undefined : JSON.stringify(Object.fromEntries(left), null, 1));
      }
      return ok(undefined);
    },
  };
}

/** A file that held nothing before and nothing but ours since goes. */
const emptied =
  (known: SetupBackup[string] | undefined) =>
  (text: string | undefined): Result<string | undefined> =>
    ok(known?.before === null && /^\s*(?:\{\s*\}\s*)?$/.test(text ?? '') ? undefined : text);

const joined = (one: Result<readonly FileEdit[]>, other: Result<readonly FileEdit[]>): Result<readonly FileEdit[]> =>
  !one.ok ? one : !other.ok ? other : ok([...one.value, ...other.value]);

/** The first state of each file is kept, however often `init` runs. */
const withEdits = (backup: SetupBackup, edits: readonly FileEdit[]): SetupBackup =>
  Object.fromEntries([
    ...Object.entries(backup),
    ...edits.map(({ file, before, after }) => [file, { before: backup[file] ? backup[file].before : (before ?? null), after: after ?? '' }] as const),
  ]);

function parseBackup(text: string | undefined): SetupBackup {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return isObject(value) ? (value as SetupBackup) : {};
  } catch {
    return {};
  }
}
