import { check, checkWords } from '../../core/config/check.ts';
import { setJsonValue, unsetJsonValue } from '../../render/json/edit.ts';
import { specOf } from '../../core/config/keys.ts';
import type { ConfigFiles } from '../../core/config/effective.ts';
import type { AnyValue, Level } from '../../core/config/spec.ts';
import { err, ok, refuse, type Result } from '../../core/result.ts';
import { findKey, type NamedKey } from './find-key.ts';
import { USER_OBJECT } from './load.ts';
import { type ShownSetting, shownSetting } from './show.ts';

export interface ConfigChange {
  readonly level: Level;
  readonly place: string;
  /** Whether the file has changed. */
  readonly changed: boolean;
  /** The setting as it is in force afterwards; another level may still win. */
  readonly now: ShownSetting;
}

const MAX_ATTEMPTS = 5;

const jsonPath = ({ key, entry }: NamedKey, level: Level): string[] => [
  ...(level === 'user' ? [USER_OBJECT] : []),
  ...key.split('.'),
  ...(entry === undefined ? [] : [entry]),
];

/** Reads, edits and replaces a level's file; repeats this if another process wrote in between. */
function editFile(files: ConfigFiles, named: NamedKey, level: Level, change: (text: string | undefined) => Result<string | undefined>): Result<ConfigChange> {
  const place = files.place(level);
  if (place === undefined)
    return refuse('CONFIG_ERROR', `There is no ${level} config here.`, { hint: 'run the command in a project, or set it for all projects with --user' });
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const before = files.read(level);
    const after = change(before);
    if (!after.ok) return err({ ...after.error, message: `${place}: ${after.error.message}` });
    const isUnchanged = after.value === undefined || after.value === before;
    if (isUnchanged || files.write(level, after.value, before))
      return ok({ level, place, changed: !isUnchanged, now: shownSetting(files, named.key, named.entry) });
  }
  return refuse('LOCK_TIMEOUT', `${place} keeps changing while it is edited.`, { hint: 'try again' });
}

const invalidValue = (key: string, value: string, takes: string): Result<never> =>
  refuse('CONFIG_ERROR', `Invalid value ${JSON.stringify(value)} for ${key}.`, { hint: `use ${takes}`, fields: [key] });

function valueFrom({ key, entry }: NamedKey, words: string): Result<AnyValue> {
  const spec = specOf(key);
  const outcome = entry === undefined ? checkWords(spec, words) : check(spec, { [entry]: words });
  if (!outcome.ok) return invalidValue(entry === undefined ? key : `${key}.${entry}`, words, outcome.error);
  return ok(entry === undefined ? outcome.value : words);
}

/** Sets a setting at a level; the rest of the file stays as it is. */
export function setConfig(files: ConfigFiles, request: { readonly key: string; readonly value: string; readonly level: Level }): Result<ConfigChange> {
  const { level, value: words } = request;
  const named = findKey(request.key);
  if (!named.ok) return named;
  const value = valueFrom(named.value, words);
  if (!value.ok) return value;
  if (level === 'shared' && specOf(named.value.key).shared === 'nothing') {
    return refuse('CONFIG_ERROR', `A shared config cannot set ${named.value.key}.`, { hint: 'set it for yourself: leave out --shared, or use --user' });
  }
  return editFile(files, named.value, level, (text) => setJsonValue(text, jsonPath(named.value, level), value.value));
}

/** Removes a setting from a level, so that the value of the level below counts again. */
export function unsetConfig(files: ConfigFiles, request: { readonly key: string; readonly level: Level }): Result<ConfigChange> {
  const named = findKey(request.key);
  if (!named.ok) return named;
  return editFile(files, named.value, request.level, (text) =>
    text === undefined ? ok(undefined) : unsetJsonValue(text, jsonPath(named.value, request.level)),
  );
}
