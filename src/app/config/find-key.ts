import { type ConfigKey, configKeys, isConfigKey, specOf } from '../../core/config/keys.ts';
import { nearestKey } from '../../core/config/unknown.ts';
import { ok, refuse, type Result } from '../../core/result.ts';

/** A setting as a person names it, and the entry where it is a map. */
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

/** Takes `memory.enabled` for `enabled`, and any letter case, because that is how the documents and people write them. */
export function findKey(word: string): Result<NamedKey> {
  for (const spelling of spellings(word.trim())) {
    const lower = spelling.toLowerCase();
    const key = isConfigKey(spelling) ? spelling : configKeys().find((candidate) => candidate.toLowerCase() === lower);
    if (key !== undefined) return ok({ key });
    const entry = entryOf(spelling);
    if (entry !== undefined) return ok(entry);
  }
  const near = nearestKey(word, configKeys());
  return refuse('CONFIG_ERROR', `Unknown setting ${word}.${near === undefined ? '' : ` Did you mean ${near}?`}`, {
    hint: 'holdfast config list shows all settings',
  });
}
