import { type ConfigKey, configKeys, isConfigKey, specOf } from '../../core/config/keys.ts';
import { nearestKey } from '../../core/config/unknown.ts';
import { ok, refuse, type Result } from '../../core/result.ts';

/** A setting, and for a map one of its entries. */
export interface NamedKey {
  readonly key: ConfigKey;
  readonly entry?: string;
}

const spellings = (word: string): readonly string[] => {
  const bare = word.replace(/^memory\./, '');
  return [bare, `categories.${bare}`];
};

function entryOf(word: string): NamedKey | undefined {
  const dot = word.lastIndexOf('.');
  const key = word.slice(0, dot);
  const entry = word.slice(dot + 1);
  if (dot < 0 || !isConfigKey(key)) return undefined;
  const spec = specOf(key);
  return spec.type === 'map' && spec.names.includes(entry) ? { key, entry } : undefined;
}

/** Finds a setting by its name, in any letter case and also as `memory.enabled` for `enabled`. */
export function findKey(word: string): Result<NamedKey> {
  for (const spelling of spellings(word.trim())) {
    const lower = spelling.toLowerCase();
    const key = isConfigKey(spelling) ? spelling : configKeys().find((candidate) => candidate.toLowerCase() === lower);
    if (key !== undefined) return ok({ key });
    const entry = entryOf(spelling);
    if (entry !== undefined) return ok(entry);
  }
  const suggestion = nearestKey(word, configKeys());
  return refuse('CONFIG_ERROR', `Unknown setting ${word}.${suggestion === undefined ? '' : ` Did you mean ${suggestion}?`}`, {
    hint: 'holdfast config list shows all settings',
  });
}
