import { existsSync, realpathSync, rmSync } from 'node:fs';
import { delimiter, join, relative } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { isInside } from '../../adapters/files/containment.ts';
import { ioFailure, replaceFile } from '../../adapters/files/durable.ts';
import { HookLogFolder } from '../../adapters/files/hook-log.ts';
import { ownFile, type FolderAndName } from '../../adapters/files/outside/own.ts';
import { readOutside } from '../../adapters/files/outside/read.ts';
import { removeOutside, writeOutside } from '../../adapters/files/outside/write.ts';
import { unifiedDiff } from '../../app/history/unified.ts';
import { type SetupBackup, planRemoval, planSetup, type SetupPlaces } from '../../app/init/plan.ts';
import { isObject } from '../../core/config/check.ts';
import { Refused } from '../../core/failure.ts';
import { FILE_BYTES } from '../../core/limits.ts';
import type { HookLog } from '../../core/ports/hook-log.ts';
import type { SessionStates } from '../../core/ports/session-states.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import type { Setup } from '../../edges/cli/command.ts';
import { CONFIG_NAME, placesIn } from '../../adapters/files/home-layout.ts';
import type { LocatedProject } from '../wiring/locate.ts';
import { sessionNotesOf } from './session-notes.ts';

/** Links in the user's own home are the user's; in a project none is followed, for a clone brings its own. */
const placeOf = (file: string, worktree: string, home: string): Result<FolderAndName> =>
  isInside(worktree, file) && !isInside(home, file) ? ok({ folder: worktree, path: relative(worktree, file) }) : ownFile(file);

/** A refusal goes out as an exception: the plan that reads is pure, and nothing was changed. */
function orThrow<T>(result: Result<T>): T {
  if (!result.ok) throw new Refused(result.error);
  return result.value;
}

function textAt(place: FolderAndName): string | undefined {
  const read = readOutside(place.folder, place.path, FILE_BYTES.settings);
  if (!read.ok && read.error.missing === true) return undefined;
  const { bytes } = orThrow(read);
  const text = bytes.toString('utf8');
  // What is read otherwise than it stands there could not be put back as it was.
  if (!bytes.equals(Buffer.from(text))) throw ioFailure(new Error('it is not UTF-8'), `cannot change ${join(place.folder, place.path)}`);
  return text;
}

/** What became of hooks, for `doctor`. */
export const openHookLog = (home: string): HookLog => new HookLogFolder(placesIn(home).hooks);

export const openHookNotes = (home: string, key: string): SessionStates => sessionNotesOf(home, key);

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether the shell's `holdfast` is this program. Windows starts no script by its bare name. */
function isOnPath(env: Environment): boolean {
  if (process.platform === 'win32') return false;
  const found = (env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'holdfast'))
    .find((file) => existsSync(file));
  return found !== undefined && realpathSync(found) === realpathSync(join(import.meta.dirname, 'cli.js'));
}

/** The plugin's texts lie beside the programs of the package; the programs of the plugin lie beside its texts. */
function pluginFolder(): string {
  const beside = join(import.meta.dirname, '..', 'plugin', 'claude-code');
  return existsSync(beside) ? beside : join(import.meta.dirname, '..');
}

/** What `init` needs of the outside: the files of clients, and what it did to them before. */
export function openSetup(home: string, { project, remember }: Pick<LocatedProject, 'project' | 'remember'>, env: Environment): Setup {
  const dist = import.meta.dirname.replaceAll('\\', '/');
  const portable = isOnPath(env);
  const places: SetupPlaces = {
    settings: join(project.worktree, '.claude', 'settings.local.json'),
    servers: join(project.worktree, '.mcp.json'),
    config: join(project.privateRoot, CONFIG_NAME),
    everywhere: home,
    here: join(project.worktree, '.claude'),
    plugin: pluginFolder(),
    node: 'node',
    dist,
    // The project's list may be committed: a colleague has the command, but not our folders.
    server: portable ? { command: 'holdfast', args: ['mcp'] } : { command: 'node', args: [`${dist}/mcp.js`] },
  };
  const placed = (file: string): FolderAndName => orThrow(placeOf(file, project.worktree, home));
  const textOf = (file: string): string | undefined => textAt(placed(file));
  const record = join(placesIn(home).state(project.key), 'setup.json');
  return {
    portable,
    plan: (commands) => planSetup(places, textOf, commands),
    removal: () => planRemoval(places, textOf, keptIn(textOf(record))),
    diff: ({ file, before, after }) => unifiedDiff(before ?? '', after ?? '', file, file),
    confirm: async (shown, question) => {
      if (!process.stdin.isTTY || !process.stdout.isTTY) return false;
      const asker = createInterface({ input: process.stdin, output: process.stdout });
      const answer = await asker.question(`${shown}\n${question} [y/N] `);
      asker.close();
      return /^y(?:es)?$/i.test(answer.trim());
    },
    apply: async (edits, removes): Promise<Result<void>> => {
      // Looked at before the first is written: a file that may not be changed leaves all as they are.
      const at = edits.map(({ file }) => placed(file));
      const changed = edits.find(({ file, before }) => textOf(file) !== before);
      if (changed) return refuse('OCC_CONFLICT', `${changed.file} has changed meanwhile`, { hint: 'run init again; nothing was changed' });
      if (!removes) {
        const first = keptIn(textOf(record));
        const kept: SetupBackup = Object.fromEntries([
          ...Object.entries(first),
          ...edits.map(({ file, before, after }) => [file, { before: first[file]?.before ?? before ?? null, after: after ?? '' }] as const),
        ]);
        replaceFile(record, JSON.stringify(kept, null, 1), `${record}.tmp`, true);
        await remember();
      }
      for (const [index, { folder, path }] of at.entries()) {
        const after = edits[index]?.after;
        const done = after === undefined ? removeOutside(folder, path) : writeOutside(folder, path, after, folder === project.worktree ? 0o644 : 0o600);
        if (!done.ok) return done;
      }
      if (removes) rmSync(record, { force: true });
      return ok(undefined);
    },
  };
}

function keptIn(record: string | undefined): SetupBackup {
  try {
    const value: unknown = JSON.parse(record ?? '{}');
    return isObject(value) ? (value as SetupBackup) : {};
  } catch {
    return {};
  }
}
