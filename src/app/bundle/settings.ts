import { isObject } from '../../core/value.ts';
import { sameValue } from '../../core/value.ts';
import { type ConfigKey, isConfigKey, specOf } from '../../core/config/keys.ts';
import { setJsonValue } from '../../render/json/edit.ts';
import { err, ok, refuse, type Result } from '../../core/result.ts';

type Json = Readonly<Record<string, unknown>>;

function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse((text ?? '{}').replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

const valueAt = (value: unknown, names: readonly string[]): unknown => names.reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), value);

/** Holdfast's settings in a file, as JSON text; undefined if there are none. */
export function settingsText(text: string | undefined, names: readonly string[]): string | undefined {
  const settings = valueAt(parseJson(text), names);
  return isObject(settings) && Object.keys(settings).length > 0 ? `${JSON.stringify(settings, null, 2)}\n` : undefined;
}

export interface MergedSettings {
  readonly text: string | undefined;
  /** Set here now. */
  readonly taken: readonly string[];
  /** Set differently here; not changed. */
  readonly kept: readonly string[];
  /** Unknown settings, and settings that only a person at a terminal may set. */
  readonly refused: readonly string[];
}

/** The setting at a path, which may also lead into a map. */
const keyOf = (names: readonly string[]): ConfigKey | undefined => [names.join('.'), names.slice(0, -1).join('.')].find(isConfigKey);

function mayTake(names: readonly string[]): boolean {
  const key = keyOf(names);
  return key !== undefined && specOf(key).byPerson !== true;
}

/** Every single value with its path. */
const leaves = (value: Json, names: readonly string[] = []): readonly (readonly [readonly string[], unknown])[] =>
  Object.entries(value).flatMap(([name, one]) =>
    isObject(one) && Object.keys(one).length > 0 ? leaves(one, [...names, name]) : [[[...names, name], one] as const],
  );

/** Adds settings that are not set here; changes no other byte of the file. */
export function mergeSettings(ours: string | undefined, theirs: string, names: readonly string[]): Result<MergedSettings> {
  const value = parseJson(theirs);
  if (!isObject(value)) return refuse('INPUT_ERROR', 'The settings in the bundle are not a JSON object.', { hint: 'nothing was imported' });
  const [taken, kept, refused]: [string[], string[], string[]] = [[], [], []];
  let text = ours;
  for (const [path, leaf] of leaves(value)) {
    if (!mayTake(path)) {
      refused.push(path.join('.'));
      continue;
    }
    const there = valueAt(parseJson(text), [...names, ...path]);
    if (there !== undefined) {
      if (!sameValue(there, leaf)) kept.push(path.join('.'));
      continue;
    }
    const next = setJsonValue(text, [...names, ...path], leaf);
    if (!next.ok) return err(next.error);
    text = next.value;
    taken.push(path.join('.'));
  }
  return ok({ text, taken, kept, refused });
}
