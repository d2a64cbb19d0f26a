import { isObject } from '../value.ts';
import { configKeys, isConfigKey } from './keys.ts';
import { type ConfigWarning, type Level, LEVELS } from './spec.ts';
import { type Config, type Levels, shortJson } from './effective.ts';

/** The edit distance between two words, with a swap as one edit; more than `limit` if the lengths differ by more. */
function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let before: readonly number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? 0) + 1 : Infinity;
      next.push(Math.min(replaced, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    [before, row] = [row, next];
  }
  return row[b.length] ?? limit + 1;
}

const plain = (key: string): string => key.toLowerCase().replaceAll(/[_-]/g, '');

/** The key that a person most likely meant: one with nearly the same letters, or the same last word. */
export function nearestKey(word: string, keys: readonly string[]): string | undefined {
  if (word.length > 100) return undefined;
  const limit = Math.max(1, Math.min(2, Math.floor(word.length / 3)), Math.floor(word.length / 5));
  let best: { readonly key: string; readonly edits: number } | undefined;
  for (const key of keys) {
    const edits = distance(plain(word), plain(key), limit);
    if (edits <= limit && edits < (best?.edits ?? Infinity)) best = { key, edits };
  }
  const tail = plain(word.slice(word.lastIndexOf('.') + 1));
  return best?.key ?? keys.find((key) => plain(key.slice(key.lastIndexOf('.') + 1)) === tail);
}

const MOST_WARNINGS = 50;

const branches = (): ReadonlySet<string> =>
  new Set(
    configKeys().flatMap((key) =>
      key
        .split('.')
        .slice(0, -1)
        .map((_, depth, names) => names.slice(0, depth + 1).join('.')),
    ),
  );

function* strangers(
  value: Readonly<Record<string, unknown>>,
  prefix: string,
  known: ReadonlySet<string>,
): Generator<{ readonly key: string; readonly message: string }> {
  for (const [name, inner] of Object.entries(value)) {
    const key = prefix + name;
    if (isConfigKey(key) || key === '$schema') continue;
    if (!known.has(key)) {
      const near = nearestKey(key, configKeys());
      yield { key, message: `is not a setting${near === undefined ? '' : `; did you mean ${near}?`}` };
    } else if (isObject(inner)) yield* strangers(inner, `${key}.`, known);
    else yield { key, message: 'must be an object that holds settings' };
  }
}

/** The unknown keys of a level. */
function unknownKeys(level: Level, value: unknown): ConfigWarning[] {
  if (!isObject(value)) return [];
  const warnings: ConfigWarning[] = [];
  for (const { key, message } of strangers(value, '', branches())) {
    warnings.push({ key, level, message });
    if (warnings.length === MOST_WARNINGS) break;
  }
  return warnings;
}

const misshapen = (levels: Levels): ConfigWarning[] =>
  LEVELS.filter((level) => levels[level] !== undefined && !isObject(levels[level])).map((level) => ({
    key: '',
    level,
    message: `the settings must be an object, not ${shortJson(levels[level])}; they are ignored`,
  }));

/** Warnings for all unknown keys and invalid values. In a file of its own, because only commands that list settings need it. */
export const warningsOf = (config: Config): readonly ConfigWarning[] => [
  ...misshapen(config.levels),
  ...LEVELS.flatMap((level) => unknownKeys(level, config.levels[level])),
  ...configKeys().flatMap((key) => config.doubts(key)),
];
