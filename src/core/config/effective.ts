import { check, LIST_LIMIT, coversEverything, globFault, harmfulness, isNarrower } from './check.ts';
import { isObject } from '../value.ts';
import { type ConfigKey, configKeys, type ConfigValue, specOf } from './keys.ts';
import { type AnyValue, type ConfigWarning, type KeySpec, type Level, LEVELS } from './spec.ts';

/** The values of each level as its file was parsed; nothing is used before it is checked. */
export type Levels = { readonly [L in Level]?: unknown };
export type ConfigSource = 'default' | Level;

export interface ConfigRow {
  readonly key: ConfigKey;
  readonly value: AnyValue;
  readonly source: ConfigSource;
  readonly default: AnyValue;
}

/** The effective settings; each is computed on first use. */
export interface Config {
  get<K extends ConfigKey>(key: K): ConfigValue<K>;
  /** The level that sets a value: a switch that is set wins over `mode`, a default does not. */
  source(key: ConfigKey): ConfigSource;
  all(): readonly ConfigRow[];
  readonly levels: Levels;
  /** Why `enabled` is false although nobody set it: settings of the user that cannot be read. */
  readonly unreadable?: string;
  /** Values of a key that are not applied, and why. */
  doubts(key: ConfigKey): readonly ConfigWarning[];
}

interface Settled {
  readonly value: AnyValue;
  readonly source: ConfigSource;
  readonly warnings: readonly ConfigWarning[];
}

/** A level's value for a key, unchecked. */
export function valueAt(level: unknown, key: string): unknown {
  let value = level;
  for (const name of key.split('.')) {
    if (!isObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

export const shortJson = (value: unknown): string => {
  const json = JSON.stringify(value) ?? String(value);
  return json.length > 60 ? `${json.slice(0, 57)}…` : json;
};

const joined = (spec: KeySpec, below: AnyValue, value: AnyValue, level: Level): AnyValue => {
  if (spec.type === 'map') return { ...(below as object), ...(value as object) };
  if (spec.type === 'list' && level === 'shared') return [...new Set([...(below as readonly string[]), ...(value as readonly string[])])];
  return value;
};

/** The settings without the shared level, because only the user's settings decide what is deleted. */
export const ownConfig = ({ levels: { user, project } }: Config): Config => effectiveConfig({ user, project });

/** Lists that a shared config may only add to are joined last, so that a user's own list does not drop what the team excludes. */
const orderFor = (spec: KeySpec): readonly Level[] => (spec.type === 'list' && spec.shared === 'tighten' ? ['user', 'project', 'shared'] : LEVELS);

/** Drops invalid globs one by one, so that the valid ones still count. */
function usableGlobs(value: unknown, level: Level, warn: (message: string) => void): unknown {
  if (!Array.isArray(value)) return value;
  const usable = value.slice(0, LIST_LIMIT + 1).filter((glob) => {
    if (typeof glob !== 'string') return true;
    const fault = globFault(glob) ?? (level === 'shared' && coversEverything(glob) ? 'covers every file, which a shared config cannot exclude' : undefined);
    if (fault !== undefined) warn(`${shortJson(glob)} ${fault}; it is ignored`);
    return fault === undefined;
  });
  return usable.length === 0 && value.length > 0 ? undefined : usable;
}

function settle(key: ConfigKey, levels: Levels): Settled {
  const spec = specOf(key);
  const warnings: ConfigWarning[] = [];
  let value: AnyValue = spec.default;
  let source: ConfigSource = 'default';
  for (const level of orderFor(spec)) {
    const rawValue = valueAt(levels[level], key);
    if (rawValue === undefined) continue;
    const warn = (message: string): number => warnings.push({ key, level, message });
    const raw = spec.type === 'list' ? usableGlobs(rawValue, level, warn) : rawValue;
    if (raw === undefined) continue;
    const checked = check(spec, raw);
    const harm = level === 'shared' && spec.shared === 'harmless' && checked.ok ? harmfulness(spec, checked.value) : undefined;
    if (!checked.ok) warn(`must be ${checked.error}, not ${shortJson(raw)}; ${shortJson(value)} is used`);
    else if (level === 'shared' && spec.shared === 'nothing') warn('a shared config cannot set this; it is ignored: see `holdfast config adopt`');
    else if (harm !== undefined) warn(`a shared config ${harm}; ${shortJson(checked.value)} is ignored and ${shortJson(value)} stays`);
    else if (level === 'shared' && spec.shared === 'tighten' && !isNarrower(spec, checked.value, value)) {
      warn(`a shared config can only tighten this; ${shortJson(checked.value)} is ignored and ${shortJson(value)} stays`);
    } else {
      value = joined(spec, value, checked.value, level);
      source = level;
    }
  }
  return { value, source, warnings };
}

export function effectiveConfig(levels: Levels): Config {
  const settled = new Map<ConfigKey, Settled>();
  const at = (key: ConfigKey): Settled => {
    const before = settled.get(key);
    if (before !== undefined) return before;
    const now = settle(key, levels);
    settled.set(key, now);
    return now;
  };
  return {
    get: <K extends ConfigKey>(key: K) => at(key).value as ConfigValue<K>,
    source: (key) => at(key).source,
    all: () => configKeys().map((key) => ({ key, value: at(key).value, source: at(key).source, default: specOf(key).default })),
    levels,
    doubts: (key) => at(key).warnings,
  };
}

/** The files that settings live in: the user's settings.json, and a memory-config.json in the shared and in the private root. */
export interface ConfigFiles {
  /** The path of a level's file; undefined if the level has none, as without a project. */
  place(level: Level): string | undefined;
  /** The file's text; undefined if it is absent. Throws if it cannot be read. */
  read(level: Level): string | undefined;
  /** Replaces the file and returns true, unless another process changed it and its text is no longer `before`. */
  write(level: Level, text: string, before: string | undefined): boolean;
}
