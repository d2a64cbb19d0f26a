import { isObject } from './check.ts';
import { configKeys, isConfigKey } from './keys.ts';
import { nearestKey } from './nearest.ts';
import type { ConfigWarning, Level } from './spec.ts';

const WARNINGS_SHOWN = 50;

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

/** What a level says that no setting answers to. */
export function unknownKeys(level: Level, value: unknown): ConfigWarning[] {
  if (!isObject(value)) return [];
  const found: ConfigWarning[] = [];
  for (const { key, message } of strangers(value, '', branches())) {
    found.push({ key, level, message });
    if (found.length === WARNINGS_SHOWN) break;
  }
  return found;
}
