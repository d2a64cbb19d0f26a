import { existsSync, readdirSync, realpathSync, rmdirSync, rmSync } from 'node:fs';
import { delimiter, dirname, join, relative } from 'node:path';
import { Failure, Refused } from '../../../core/failure.ts';
import { FILE_BYTES } from '../../../core/limits.ts';
import type { BackupOf, SetupFiles } from '../../../core/ports/client-files.ts';
import { ok, type Result } from '../../../core/result.ts';
import { isInside } from '../containment.ts';
import { replaceFile } from '../durable.ts';
import { CONFIG_NAME, placesIn } from '../home-layout.ts';
import { ownFile, type FolderAndName } from './own.ts';
import { findOutside } from './path.ts';
import { readOutside } from './read.ts';
import { removeOutside, writeOutside } from './write.ts';

interface SetUpProject {
  readonly key: string;
  readonly worktree: string;
  readonly privateRoot: string;
}

/** Links in the user's home are followed; in a project none is, because a clone may bring links. */
const locateFile = (file: string, worktree: string, home: string): Result<FolderAndName> =>
  isInside(worktree, file) && !isInside(home, file) ? ok({ folder: worktree, path: relative(worktree, file) }) : ownFile(file);

/** Throws a refusal, because the plan that reads through this port expects plain values; nothing was changed yet. */
function orThrow<T>(result: Result<T>): T {
  if (!result.ok) throw new Refused(result.error);
  return result.value;
}

function readText(place: FolderAndName): string | undefined {
  const read = readOutside(place.folder, place.path, FILE_BYTES.settings);
  if (!read.ok && read.error.missing === true) return undefined;
  const { bytes } = orThrow(read);
  const text = bytes.toString('utf8');
  // A file that is not UTF-8 could not be restored byte for byte.
  if (!bytes.equals(Buffer.from(text)))
    throw new Failure('READ_ERROR', `${join(place.folder, place.path)} is not UTF-8`, { hint: 'save it as UTF-8; nothing was changed' });
  return text;
}

function isEmptyFolder({ folder, path }: FolderAndName): boolean {
  const location = findOutside(folder, path);
  return location.ok && location.value.stats?.isDirectory() === true && readdirSync(location.value.file).length === 0;
}

/** The files of clients around a project; new ones in the project are readable by all, in the home by their owner. */
export function openSetupFiles(home: string, { key, worktree }: SetUpProject): SetupFiles {
  const locate = (file: string): FolderAndName => orThrow(locateFile(file, worktree, home));
  const backupOf = (of: BackupOf): string => join(of === 'user' ? placesIn(home).ownState : placesIn(home).state(key), 'setup.json');
  return {
    check: (file) => void locate(file),
    hasFolder: (folder) => existsSync(folder),
    read: (file) => readText(locate(file)),
    write: (file, text) => {
      const { folder, path } = locate(file);
      return text === undefined
        ? removeOutside(folder, path)
        : writeOutside(folder, path, text, text.startsWith('#!') ? 0o700 : folder === worktree ? 0o644 : 0o600);
    },
    newFolder: (file) => {
      let missing: string | undefined;
      for (let folder = dirname(file); !existsSync(folder); folder = dirname(folder)) missing = folder;
      return missing;
    },
    removeEmpty: (file, upTo) => {
      for (let folder = dirname(file); isInside(dirname(upTo), folder) && isEmptyFolder(locate(folder)); folder = dirname(folder)) rmdirSync(folder);
    },
    readBackup: (of) => readText(locate(backupOf(of))),
    writeBackup: (of, text) => {
      const file = backupOf(of);
      if (text === undefined) rmSync(file, { force: true });
      else replaceFile(file, text, `${file}.tmp`, true);
    },
  };
}

/** Where clients look for hooks, servers and commands; `dist` is the folder of the built programs. */
export function setupPlaces(home: string, { worktree, privateRoot }: SetUpProject, dist: string, portable: boolean) {
  const slashedDist = dist.replaceAll('\\', '/');
  return {
    worktree,
    settings: join(worktree, '.claude', 'settings.local.json'),
    servers: join(worktree, '.mcp.json'),
    config: join(privateRoot, CONFIG_NAME),
    everywhere: home,
    here: join(worktree, '.claude'),
    plugin: pluginFolder(dist),
    node: 'node',
    dist: slashedDist,
    // The project's list may be committed: a colleague has the command, but not this machine's folders.
    server: portable ? { command: 'holdfast', args: ['mcp'] } : { command: 'node', args: [`${slashedDist}/mcp.js`] },
  };
}

/** Where other clients keep the user's settings, unless their own environment variables name another folder. */
export function otherPlaces(env: Readonly<Record<string, string | undefined>>, userHome: string, dist: string, portable: boolean) {
  const folderOf = (variable: string, ...usual: readonly string[]): string => env[variable] ?? join(userHome, ...usual);
  return {
    folders: {
      codex: folderOf('CODEX_HOME', '.codex'),
      gemini: join(folderOf('GEMINI_CLI_HOME'), '.gemini'),
      opencode: join(folderOf('XDG_CONFIG_HOME', '.config'), 'opencode'),
      kilo: join(folderOf('XDG_CONFIG_HOME', '.config'), 'kilo'),
      copilot: folderOf('COPILOT_HOME', '.copilot'),
      qwen: join(userHome, '.qwen'),
      cursor: join(userHome, '.cursor'),
      droid: join(userHome, '.factory'),
      goose: join(folderOf('XDG_CONFIG_HOME', '.config'), 'goose'),
      cline: join(userHome, '.cline'),
    },
    program: portable ? ['holdfast'] : ['node', `${dist.replaceAll('\\', '/')}/cli.js`],
    opencodePlugin: join(dist, '..', 'assets', 'opencode', 'holdfast.js'),
  };
}

/** The plugin's texts lie beside the programs of the package; the programs of the plugin lie beside its texts. */
function pluginFolder(dist: string): string {
  const beside = join(dist, '..', 'plugin', 'claude-code');
  return existsSync(beside) ? beside : join(dist, '..');
}

/** Whether the shell's `holdfast` is this program. Windows starts no script by its bare name. */
export function isOnPath(env: Readonly<Record<string, string | undefined>>, dist: string): boolean {
  if (process.platform === 'win32') return false;
  const program = (env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'holdfast'))
    .find((file) => existsSync(file));
  return program !== undefined && realpathSync(program) === realpathSync(join(dist, 'cli.js'));
}
