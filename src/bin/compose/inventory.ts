import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ownText } from '../../adapters/files/outside/own.ts';
import { textOutside } from '../../adapters/files/outside/read.ts';
import { isOurGroup } from '../../app/init/ours.ts';
import { isObject } from '../../core/config/check.ts';
import { FILE_BYTES } from '../../core/limits.ts';
import type { ClientSetUp, Inventory } from '../../edges/cli/command.ts';
import { ARCHIVE_FOLDER, EPISODES_FILE, placesIn } from '../../adapters/files/home-layout.ts';
import type { LocatedProject } from '../wiring/locate.ts';

const PLUGIN = 'memory@holdfast';

/** What doctor weighs, and the ways by which the client knows of Holdfast. */
export function takeInventory(home: string, { key, worktree, privateRoot }: LocatedProject['project']): Inventory {
  const state = placesIn(home).state(key);
  const [all, conversations, index] = [bytesUnder(state), bytesUnder(join(state, ARCHIVE_FOLDER)), bytesNamed(state, [EPISODES_FILE, 'index.db'])];
  return {
    bytes: { records: bytesUnder(privateRoot), history: Math.max(0, all - conversations - index), index, conversations },
    claudeCode: claudeCodeIn(home, worktree),
  };
}

/** What is not there, or not to be read, weighs nothing. */
function bytesOf(file: string): number {
  try {
    return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  } catch {
    return 0;
  }
}

function bytesUnder(folder: string): number {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .reduce((sum, { parentPath, name }) => sum + bytesOf(join(parentPath, name)), 0);
  } catch {
    return 0;
  }
}

/** A database with the files that SQLite keeps beside it. */
const bytesNamed = (folder: string, names: readonly string[]): number =>
  names.flatMap((name) => ['', '-wal', '-shm'].map((end) => join(folder, `${name}${end}`))).reduce((sum, file) => sum + bytesOf(file), 0);

function claudeCodeIn(home: string, worktree: string): readonly ClientSetUp[] {
  const settings = [
    ownText(join(home, 'settings.json'), FILE_BYTES.settings),
    ...['settings.json', 'settings.local.json'].map((name) => textOutside(worktree, `.claude/${name}`, FILE_BYTES.settings)),
  ].map((found) => objectIn(found?.text));
  const plugin = settings.some(({ enabledPlugins }) => isObject(enabledPlugins) && enabledPlugins[PLUGIN] === true);
  const hooks = settings.some(
    (one) => isObject(one['hooks']) && Object.values(one['hooks']).some((groups) => Array.isArray(groups) && groups.some(isOurGroup)),
  );
  return [...(plugin ? (['plugin'] as const) : []), ...(hooks ? (['hooks'] as const) : [])];
}

/** The object of a JSON text; an empty one where there is none. */
function objectIn(text = '{}'): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
