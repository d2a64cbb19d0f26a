import type { Md5 } from '../ports/digest.ts';
import { ok, refuse, type Result } from '../result.ts';
import { hashProjectPath, tidyPath } from './hash.ts';
import type { RegistryEntry } from './registry.ts';

/** The known project whose recorded folder holds the path; the deepest wins. */
export function recordedAt(path: string, entries: readonly RegistryEntry[]): RegistryEntry | undefined {
  const tidy = tidyPath(path);
  let best: { readonly entry: RegistryEntry; readonly length: number } | undefined;
  for (const entry of entries) {
    for (const folder of entry.paths.map(tidyPath)) {
      const holds = tidy === folder || (folder !== '' && tidy.startsWith(`${folder}/`));
      if (holds && folder.length > (best?.length ?? -1)) best = { entry, length: folder.length };
    }
  }
  return best?.entry;
}

const byHash = (word: string, entries: readonly RegistryEntry[], md5: Md5): readonly RegistryEntry[] => {
  if (!/^[0-9a-f]{6,12}$/i.test(word)) return [];
  const start = word.toLowerCase();
  return entries.filter((entry) => entry.hash.startsWith(start) || entry.paths.some((path) => hashProjectPath(path, md5).startsWith(start)));
};

const only = (word: string, found: readonly RegistryEntry[]): Result<RegistryEntry> | undefined => {
  const [first] = found;
  if (first === undefined) return undefined;
  if (found.length === 1) return ok(first);
  return refuse('AMBIGUOUS_ID', `${word} matches ${found.length} projects.`, {
    hint: `name one by its key or path: ${found.map(({ key, path }) => `${key} (${path})`).join(', ')}`,
  });
};

/** A known project by key, by hash (six digits are enough) or by a path inside it. */
export function findProject(word: string, entries: readonly RegistryEntry[], md5: Md5): Result<RegistryEntry> {
  const lower = word.toLowerCase();
  const folded = tidyPath(lower);
  const named =
    only(
      word,
      entries.filter((entry) => entry.key.toLowerCase() === lower),
    ) ?? only(word, byHash(word, entries, md5));
  if (named !== undefined) return named;
  const recorded = recordedAt(word, entries);
  if (recorded !== undefined) return ok(recorded);
  const anyCase = only(
    word,
    entries.filter((entry) => entry.paths.some((path) => tidyPath(path.toLowerCase()) === folded)),
  );
  if (anyCase !== undefined) return anyCase;
  const near = entries.filter((entry) => entry.key.includes(lower) || lower.includes(entry.key)).map((entry) => entry.key);
  return refuse('NOT_FOUND', `No project ${word} found.`, {
    hint: near.length > 0 ? `did you mean ${near.slice(0, 3).join(', ')}?` : 'give a key, a hash or the path of a folder',
  });
}
