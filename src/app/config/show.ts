import type { ConfigWarning, AnyValue } from '../../core/config/spec.ts';
import { warningsOf } from '../../core/config/unknown.ts';
import { type LoadedConfig, loadConfig } from './load.ts';
import { aboutOf } from '../../core/config/docs.ts';
import { expected } from '../../core/config/check.ts';
import { type ConfigRow, type ConfigSource, type ConfigFiles, valueAt } from '../../core/config/effective.ts';
import { type ConfigKey, configKeys, specOf } from '../../core/config/keys.ts';
import { ok, type Result } from '../../core/result.ts';
import { findKey } from './find-key.ts';

/** Warnings about unreadable files and settings that cannot be applied; none about a setting whose value is in force anyway. */
export function configWarnings({ config, unreadable }: LoadedConfig): readonly ConfigWarning[] {
  const isInForce = ({ level, key }: ConfigWarning): boolean => {
    const known = level === 'shared' ? configKeys().find((one) => one === key) : undefined;
    return known !== undefined && JSON.stringify(valueAt(config.levels.shared, known)) === JSON.stringify(config.get(known));
  };
  return [...unreadable, ...warningsOf(config).filter((warning) => !isInForce(warning))];
}

export interface ConfigListing {
  readonly rows: readonly ConfigRow[];
  readonly warnings: readonly ConfigWarning[];
}

/** Every setting with its value, where that comes from, and its default. */
export function listConfig(files: ConfigFiles): ConfigListing {
  const loaded = loadConfig(files);
  return { rows: loaded.config.all(), warnings: configWarnings(loaded) };
}

export interface ShownSetting {
  readonly key: string;
  readonly value: AnyValue | undefined;
  readonly source: ConfigSource;
  readonly default: AnyValue | undefined;
  readonly about: string;
  /** The values it takes, in words. */
  readonly takes: string;
  /** Where the value was set; absent for a default. */
  readonly place?: string;
}

const entryValue = (value: AnyValue, entry: string | undefined): AnyValue | undefined =>
  entry === undefined ? value : (value as Readonly<Record<string, string>>)[entry];

/** One setting, explained. */
export function getConfig(files: ConfigFiles, word: string): Result<ShownSetting> {
  const named = findKey(word);
  if (!named.ok) return named;
  const { key, entry } = named.value;
  return ok(shownSetting(files, key, entry));
}

export function shownSetting(files: ConfigFiles, key: ConfigKey, entry: string | undefined): ShownSetting {
  const { config } = loadConfig(files);
  const spec = specOf(key);
  const source = config.source(key);
  const place = source === 'default' ? undefined : files.place(source);
  return {
    key: entry === undefined ? key : `${key}.${entry}`,
    value: entryValue(config.get(key), entry),
    source,
    default: entryValue(spec.default, entry),
    about: aboutOf(key),
    takes: entry === undefined ? expected(spec) : 'one line of text',
    ...(place === undefined ? {} : { place }),
  };
}
