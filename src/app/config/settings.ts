import { setConfig, unsetConfig, type ConfigChange } from './change.ts';
import { adoptSettings, type OfferedSetting, offeredSettings } from './adopt.ts';
import { findKey } from './find-key.ts';
import { getConfig, listConfig } from './show.ts';
import { specOf } from '../../core/config/keys.ts';
import type { ConfigFiles } from '../../core/config/effective.ts';
import { ok, type Result } from '../../core/result.ts';

/** The value in force after a change, and the file that was changed. */
export interface ConfigSetting {
  readonly value: unknown;
  readonly file: string;
}

/** Shows and changes settings. */
export interface Settings {
  list(): readonly { readonly key: string; readonly value: unknown; readonly source: string }[];
  get(key: string): Result<{ readonly value: unknown; readonly source: string; readonly about: string; readonly takes: string }>;
  /** Whether only a person at a terminal may change it. */
  isByPerson(key: string): boolean;
  set(key: string, value: string, level: 'user' | 'project'): Result<ConfigSetting> | Promise<Result<ConfigSetting>>;
  unset(key: string, level: 'user' | 'project'): Result<ConfigSetting> | Promise<Result<ConfigSetting>>;
  warnings(): readonly string[];
  /** The settings in the project's own config, and adopting some of them. */
  offered(): ReturnType<typeof offeredSettings>;
  adopt(keys: readonly string[]): Promise<Result<readonly OfferedSetting[]>>;
}

/** The settings of a project and its user, for the command that shows and changes them. */
export function settingsOver(files: ConfigFiles, register: () => Promise<void>): Settings {
  // A project with settings is registered, so that it keeps its name.
  const afterChange = async (level: 'user' | 'project', change: Result<ConfigChange>): Promise<Result<ConfigSetting>> => {
    if (!change.ok) return change;
    if (level === 'project') await register();
    return ok({ value: change.value.now.value, file: change.value.place });
  };
  return {
    list: () => listConfig(files).rows.map(({ key, value, source }) => ({ key, value, source })),
    get: (key) => {
      const found = getConfig(files, key);
      return found.ok ? ok({ value: found.value.value, source: found.value.source, about: found.value.about, takes: found.value.takes }) : found;
    },
    isByPerson: (word) => {
      const named = findKey(word);
      return named.ok && specOf(named.value.key).byPerson === true;
    },
    set: (key, value, level) => afterChange(level, setConfig(files, { key, value, level })),
    unset: (key, level) => afterChange(level, unsetConfig(files, { key, level })),
    offered: () => offeredSettings(files),
    adopt: async (keys) => {
      const adopted = adoptSettings(files, keys);
      if (adopted.ok) await register();
      return adopted;
    },
    warnings: () => listConfig(files).warnings.map(({ key, level, message }) => `${level} setting ${key}: ${message}`),
  };
}
