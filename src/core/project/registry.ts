import { isObject } from '../value.ts';
import type { Md5 } from '../ports/host.ts';
import { ok, refuse, type Result } from '../result.ts';
import { hashProjectPath, tidyPath } from './folder.ts';

/** One project that was seen on this machine. Fields this version does not know stay in the object. */
export interface RegistryEntry {
  readonly key: string;
  readonly identity: string;
  readonly hash: string;
  /** The folder it is named after. */
  readonly path: string;
  /** Every folder in which it was seen: other worktrees, other clones, earlier locations. */
  readonly paths: readonly string[];
  readonly createdAt: string;
  readonly lastSeen: string;
  /** Normalised; identifies a moved repository. */
  readonly remote?: string;
  readonly firstCommit?: string;
  /** The folder on its disk: another one at the same path has another id. */
  readonly folderId?: string;
  /** Projects that their user merged into this one: their folders are this project's. */
  readonly joined?: readonly RegistryEntry[];
  /** Projects that the user separated from it; no command joins them again automatically. */
  readonly apartFrom?: readonly string[];
}

export interface Registry {
  readonly projects: readonly RegistryEntry[];
  /** Invalid entries, written back unchanged. */
  readonly unreadable: readonly unknown[];
  /** Top-level fields this version does not know. */
  readonly more: Readonly<Record<string, unknown>>;
}

export interface RegistryReading {
  readonly registry: Registry;
  /** The problem of the text, for `doctor`; a caller that rewrites a damaged file keeps a copy of it first. */
  readonly problems: readonly string[];
}

export const EMPTY_REGISTRY: Registry = { projects: [], unreadable: [], more: {} };

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string' && item !== '') : []);
const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** Reads an entry, which needs a key, a hash and a path; other fields have defaults. */
function entryOf(value: unknown): RegistryEntry | undefined {
  if (!isObject(value)) return undefined;
  const key = text(value['key']);
  const identity = text(value['identity']);
  const path = text(value['path']);
  if (key === undefined || identity === undefined || path === undefined || /[/\\]|^\.{1,2}$/.test(key)) return undefined;
  const { remote, firstCommit, folderId, joined, apartFrom, ...others } = value;
  const apart = texts([apartFrom].flat());
  const lastSeen = text(value['lastSeen']) ?? text(value['createdAt']) ?? '';
  return {
    ...others,
    key,
    identity,
    path,
    hash: text(value['hash']) ?? '',
    paths: [...new Set([path, ...texts(value['paths'])])],
    createdAt: text(value['createdAt']) ?? lastSeen,
    lastSeen,
    ...(text(remote) === undefined ? {} : { remote: text(remote) as string }),
    ...(text(firstCommit) === undefined ? {} : { firstCommit: text(firstCommit) as string }),
    ...(text(folderId) === undefined ? {} : { folderId: text(folderId) as string }),
    ...(Array.isArray(joined) && { joined: joined.flatMap((one) => entryOf(one) ?? []) }),
    ...(apart.length > 0 && { apartFrom: apart }),
  };
}

/** The entry of a project that stays apart from another from now on. */
export const separatedFrom = (entry: RegistryEntry, from: string): RegistryEntry => ({ ...entry, apartFrom: [...new Set([...(entry.apartFrom ?? []), from])] });

/** A project by all its names: its own entry, and those of projects that were merged into it. */
export const namesOf = (entry: RegistryEntry): readonly RegistryEntry[] => [entry, ...(entry.joined ?? [])];

/** The identity of a project whose folder was replaced by another repository. */
const REPLACED = 'replaced:';
export const isReplaced = ({ identity }: RegistryEntry): boolean => identity.startsWith(REPLACED);
export const asReplaced = (entry: RegistryEntry): RegistryEntry => ({ ...entry, identity: `${REPLACED}${entry.identity}` });

/** The projects of which a test is true, under any of their names. */
export const withName = (entries: readonly RegistryEntry[], isIt: (name: RegistryEntry) => boolean): readonly RegistryEntry[] =>
  entries.filter((entry) => namesOf(entry).some(isIt));

/** An entry, with those that were merged into it. */
const ENTRY = /\{[^{}"]*(?:(?:"[^"\\\n]*(?:\\.[^"\\\n]*)*"|\{[^{}]*\})[^{}"]*)*\}/g;

/** Every `{…}` of a broken text that is JSON by itself: a cut or hand-edited file still yields its entries. */
function salvage(broken: string): unknown[] {
  const entries: unknown[] = [];
  for (const [chunk] of broken.matchAll(ENTRY)) {
    try {
      entries.push(JSON.parse(chunk));
    } catch {
      entries.push(...salvage(chunk.slice(1)));
    }
  }
  return entries;
}

function collect(values: readonly unknown[], more: Record<string, unknown>, problems: string[]): RegistryReading {
  const projects: RegistryEntry[] = [];
  const unreadable: unknown[] = [];
  for (const value of values) {
    const entry = entryOf(value);
    if (entry === undefined) unreadable.push(value);
    else if (!projects.some((other) => other.identity === entry.identity)) projects.push(entry);
    else problems.push(`the registry of projects lists ${entry.identity} twice; the first one counts`);
  }
  if (unreadable.length > 0) problems.push(`${unreadable.length} of the registry's projects cannot be read`);
  return { registry: { projects, unreadable, more }, problems };
}

export function parseRegistry(source: string | undefined): RegistryReading {
  if (source === undefined || source.trim() === '') return { registry: EMPTY_REGISTRY, problems: [] };
  let value: unknown;
  try {
    value = JSON.parse(source.replace(/^\uFEFF/, ''));
  } catch (cause) {
    return collect(
      salvage(source).filter((candidate) => entryOf(candidate) !== undefined),
      {},
      [`the registry of projects is damaged: ${(cause as Error).message}`],
    );
  }
  if (!isObject(value) || !Array.isArray(value['projects']))
    return { registry: EMPTY_REGISTRY, problems: ['the registry of projects has no list of projects'] };
  const { projects, version: _version, ...more } = value;
  return collect(projects, more, []);
}

export const serializeRegistry = ({ projects, unreadable, more }: Registry): string =>
  `${JSON.stringify({ version: 1, ...more, projects: [...projects, ...unreadable] }, null, 2)}\n`;

/** The known project whose recorded folder holds the path; the deepest wins. */
export function recordedAt(path: string, entries: readonly RegistryEntry[]): RegistryEntry | undefined {
  const tidy = tidyPath(path);
  let best: { readonly entry: RegistryEntry; readonly length: number } | undefined;
  for (const entry of entries) {
    if (isReplaced(entry)) continue;
    for (const folder of namesOf(entry).flatMap(({ paths }) => paths.map(tidyPath))) {
      const holds = tidy === folder || (folder !== '' && tidy.startsWith(`${folder}/`));
      if (holds && folder.length > (best?.length ?? -1)) best = { entry, length: folder.length };
    }
  }
  return best?.entry;
}

const byHash = (word: string, entries: readonly RegistryEntry[], md5: Md5): readonly RegistryEntry[] => {
  if (!/^[0-9a-f]{6,12}$/i.test(word)) return [];
  const start = word.toLowerCase();
  return withName(entries, ({ hash, paths }) => hash.startsWith(start) || paths.some((path) => hashProjectPath(path, md5).startsWith(start)));
};

const onlyMatch = (word: string, matches: readonly RegistryEntry[]): Result<RegistryEntry> | undefined => {
  const [first] = matches;
  if (first === undefined) return undefined;
  if (matches.length === 1) return ok(first);
  return refuse('AMBIGUOUS_ID', `${word} matches ${matches.length} projects.`, {
    hint: `name one by its key or path: ${matches.map(({ key, path }) => `${key} (${path})`).join(', ')}`,
  });
};

/** A known project by key, by hash (six digits are enough) or by a path inside it. */
export function findProject(word: string, entries: readonly RegistryEntry[], md5: Md5): Result<RegistryEntry> {
  const lower = word.toLowerCase();
  const folded = tidyPath(lower);
  const named =
    onlyMatch(
      word,
      withName(entries, ({ key }) => key.toLowerCase() === lower),
    ) ?? onlyMatch(word, byHash(word, entries, md5));
  if (named !== undefined) return named;
  const recorded = recordedAt(word, entries);
  if (recorded !== undefined) return ok(recorded);
  const anyCase = onlyMatch(
    word,
    withName(entries, ({ paths }) => paths.some((path) => tidyPath(path.toLowerCase()) === folded)),
  );
  if (anyCase !== undefined) return anyCase;
  const isNear = ({ key }: RegistryEntry): boolean => key.includes(lower) || lower.includes(key) || key.startsWith(lower.slice(0, 3));
  const near = entries.filter(isNear).map(({ key }) => key);
  return refuse('NOT_FOUND', `No project ${word} found.`, {
    hint: near.length > 0 ? `did you mean ${near.slice(0, 3).join(', ')}?` : 'give a key, a hash or the path of a folder',
  });
}
