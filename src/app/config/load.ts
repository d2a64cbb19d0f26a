import { isObject } from '../../core/value.ts';
import { type Config, effectiveConfig, type ConfigFiles } from '../../core/config/effective.ts';
import { type ConfigWarning, type Level, LEVELS } from '../../core/config/spec.ts';
import { hasConflictMarkers } from '../../core/record/conflict-markers.ts';

/** Holdfast's object in the user's settings.json. */
export const USER_OBJECT = 'memory';

export interface LoadedConfig {
  readonly config: Config;
  /** Files that could not be read. */
  readonly unreadable: readonly ConfigWarning[];
}

/** The user's unreadable settings may name files that must not be captured, so memory is off until they can be read. */
const OFF = { enabled: false };

function parseLevel(level: Level, text: string, place: string, problems: ConfigWarning[]): unknown {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return level === 'user' && isObject(value) ? value[USER_OBJECT] : value;
  } catch (cause) {
    problems.push({
      key: '',
      level,
      message: hasConflictMarkers(text)
        ? `git left conflict markers in ${place}, which is not used meanwhile`
        : `${place} is not JSON and is not used: ${(cause as Error).message}`,
    });
    return level === 'shared' ? undefined : OFF;
  }
}

/** Ignores an unreadable config of the repository; unreadable settings of the user stop the command. */
function readLevel(files: ConfigFiles, level: Level, problems: ConfigWarning[]): string {
  try {
    return files.read(level) ?? '';
  } catch (cause) {
    if (level !== 'shared') throw cause;
    problems.push({ key: '', level, message: `the file is ignored: ${(cause as Error).message}` });
    return '';
  }
}

/** The settings in force. Without a file, object or key at one level, the level below counts. */
export function loadConfig(files: ConfigFiles): LoadedConfig {
  const problems: ConfigWarning[] = [];
  const levels: { [L in Level]?: unknown } = {};
  for (const level of LEVELS) {
    const text = readLevel(files, level, problems);
    if (text.trim() !== '') levels[level] = parseLevel(level, text, files.place(level) ?? 'the file', problems);
  }
  const own = problems.find(({ level }) => level !== 'shared');
  return { config: { ...effectiveConfig(levels), ...(own && { unreadable: own.message }) }, unreadable: problems };
}
