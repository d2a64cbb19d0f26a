import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { FILE_BYTES } from '../../../core/limits.ts';
import { ARCHIVE_FOLDER, EPISODES_FILE, placesIn } from '../home-layout.ts';
import { ownText } from './own.ts';
import { textOutside } from './read.ts';

/** The disk usage of a project's memory. */
export function measureMemory(home: string, { key, privateRoot }: { readonly key: string; readonly privateRoot: string }) {
  const state = placesIn(home).state(key);
  const [all, conversations, index] = [bytesUnder(state), bytesUnder(join(state, ARCHIVE_FOLDER)), bytesNamed(state, [EPISODES_FILE, 'index.db'])];
  return { records: bytesUnder(privateRoot), history: Math.max(0, all - conversations - index), index, conversations };
}

/** The texts of Claude Code's settings files, for all projects and for this one. */
export const claudeSettings = (home: string, worktree: string): readonly (string | undefined)[] => [
  ownText(join(home, 'settings.json'), FILE_BYTES.settings)?.text,
  ...['settings.json', 'settings.local.json'].map((name) => textOutside(worktree, `.claude/${name}`, FILE_BYTES.settings)?.text),
];

/** A file that does not exist or cannot be read counts as empty. */
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
