import { check } from '../../core/config/check.ts';
import { valueAt, type ConfigFiles } from '../../core/config/effective.ts';
import { type ConfigKey, configKeys, specOf } from '../../core/config/keys.ts';
import { warningsOf } from '../../core/config/unknown.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { setJsonValue } from '../../render/json/edit.ts';
import { findKey } from './find-key.ts';
import { loadConfig } from './load.ts';

/** A setting of the project's own memory-config.json that comes with the code. */
export interface OfferedSetting {
  readonly key: ConfigKey;
  readonly value: unknown;
  /** The value in force. */
  readonly now: unknown;
  /** Why it is not followed; absent if it is in force, or the user's own setting wins. */
  readonly why?: string;
  /** Only a person at a terminal sets it. */
  readonly isByPerson: boolean;
}

const isSameValue = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Each setting of the project's own config, and whether it counts. */
export function offeredSettings(files: ConfigFiles): { readonly offered: readonly OfferedSetting[]; readonly unknown: readonly string[] } {
  const { config } = loadConfig(files);
  const offered = configKeys().flatMap((key): OfferedSetting[] => {
    const value = valueAt(config.levels.shared, key);
    if (value === undefined) return [];
    const warning = config.doubts(key).find(({ level }) => level === 'shared');
    const now = config.get(key);
    const why = config.source(key) === 'project' ? 'your own setting counts' : warning?.message.replace(/: see `.*$/, '');
    return [{ key, value, now, isByPerson: specOf(key).byPerson === true, ...(why !== undefined && !isSameValue(value, now) && { why }) }];
  });
  const unknown = warningsOf(config)
    .filter(({ level, key }) => level === 'shared' && !configKeys().some((known) => known === key))
    .map(({ key }) => key);
  return { offered, unknown };
}

/** Copies settings into the user's own settings of the project, where a later change of the repository does not affect them. */
export function adoptSettings(files: ConfigFiles, words: readonly string[]): Result<readonly OfferedSetting[]> {
  const { offered } = offeredSettings(files);
  const chosen: OfferedSetting[] = [];
  for (const word of words) {
    const named = findKey(word);
    if (!named.ok) return named;
    const setting = offered.find(({ key }) => key === named.value.key);
    if (!setting)
      return refuse('NOT_FOUND', `The project's memory-config.json does not set ${named.value.key}.`, {
        missing: true,
        hint: 'holdfast config adopt lists what it sets',
      });
    const checked = check(specOf(setting.key), setting.value);
    if (!checked.ok) return refuse('CONFIG_ERROR', `${setting.key} must be ${checked.error}, not ${JSON.stringify(setting.value)}.`, { fields: [setting.key] });
    chosen.push(setting);
  }
  const before = files.read('project');
  let text = before;
  for (const { key, value } of chosen) {
    const edited = setJsonValue(text, key.split('.'), value);
    if (!edited.ok) return edited;
    text = edited.value;
  }
  if (text === undefined || text === before) return ok(chosen);
  return files.write('project', text, before) ? ok(chosen) : refuse('LOCK_TIMEOUT', 'Your settings changed meanwhile.', { hint: 'try again' });
}
