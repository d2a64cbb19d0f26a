import { join, resolve } from 'node:path';
import { readBundleFile, sha256, writeBundleFile } from '../../adapters/files/bundle-file.ts';
import { configFiles } from '../../adapters/files/config-files.ts';
import { RegistryFile } from '../../adapters/files/registry.ts';
import { openDatabase } from '../../adapters/sqlite/binding.ts';
import type { Bundles, BundleExportOptions, Exported, BundleImportOptions, BundleImport, MergedPart } from '../../app/bundle/bundles.ts';
import { collectBundle, type BundlePart } from '../../app/bundle/export.ts';
import { checkIncoming, type Incoming, mergeBundle } from '../../app/bundle/import.ts';
import { type BundledExtra, type BundledProject, readBundle, type BundleScope } from '../../app/bundle/manifest.ts';
import { type MergedSettings, mergeSettings, settingsText } from '../../app/bundle/settings.ts';
import type { Episodes } from '../../app/episodes/episodes.ts';
import type { Episode } from '../../app/episodes/read.ts';
import { USER_OBJECT } from '../../app/config/load.ts';
import type { ConfigFiles } from '../../core/config/effective.ts';
import { utcSeconds } from '../../core/instant.ts';
import type { Clock } from '../../core/ports/host.ts';
import type { RegistryEntry } from '../../core/project/registry.ts';
import { uniqueSlug } from '../../core/project/slug.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import type { ComposedMemory } from './memory.ts';
import { CONFIG_NAME, placesIn } from '../../adapters/files/home-layout.ts';
import { openLocated, openProject, openUser, type ProjectMemory } from './project.ts';

export interface BundlesRequest {
  readonly home: string;
  readonly cwd: string;
  readonly now: Clock;
  /** The project at hand. */
  readonly current: () => ProjectMemory;
  readonly episodes: () => Promise<Pick<Episodes, 'packed' | 'unpack' | 'takeIn'>>;
}

const AUTHOR = { actor: 'import', reason: 'from a bundle' } as const;

/** Bundles of the memories under one home. */
export const openBundles = (request: BundlesRequest): Bundles => ({
  export: (file, scope, asked = {}) => exportBundle(request, resolve(request.cwd, file), scope, asked),
  import: (file, asked = {}) => importBundle(request, resolve(request.cwd, file), asked),
});

const registryIn = (home: string): RegistryFile => new RegistryFile(placesIn(home).registry, openDatabase);

const bundled = ({ key, identity, hash, path, paths, remote, firstCommit }: RegistryEntry): BundledProject => ({
  key,
  identity,
  hash,
  path,
  paths,
  ...(remote !== undefined && { remote }),
  ...(firstCommit !== undefined && { firstCommit }),
});

async function exportBundle(request: BundlesRequest, file: string, scope: BundleScope, asked: BundleExportOptions): Promise<Result<Exported>> {
  const { home, cwd, now, current } = request;
  const episodes = (asked.conversations ?? scope === 'all') ? await request.episodes() : undefined;
  const known = registryIn(home).read().projects;
  const wanted = scope === 'user' ? [] : scope === 'all' ? known : known.filter(({ key }) => key === current().project.key);
  if (scope === 'project' && wanted.length === 0)
    return refuse('NOT_FOUND', 'this project has no memory yet', { missing: true, hint: 'holdfast save keeps a record' });
  const opened: ComposedMemory[] = [];
  try {
    const parts: BundlePart[] = [];
    for (const entry of wanted) {
      const one = openProject({ home, cwd, word: entry.key, now });
      if (!one.ok) return one;
      opened.push(one.value);
      parts.push({
        memory: one.value.memory,
        project: bundled(entry),
        ...(scope === 'all' && { settings: settingsText(one.value.config.read('project'), []) }),
        ...(episodes && { conversations: episodes.packed(entry.key) }),
      });
    }
    if (scope !== 'project') {
      const user = openUser({ home, now });
      opened.push(user);
      parts.push({ memory: user.memory, settings: settingsText(userFiles(home).read('user'), [USER_OBJECT]) });
    }
    const { entries, ...packed } = await collectBundle(parts, scope, { sha256, now: now() });
    return ok({ ...packed, file, bytes: writeBundleFile(file, entries) });
  } finally {
    for (const one of opened) await one.close();
  }
}

interface Ready {
  readonly memory: ComposedMemory;
  readonly incoming: readonly Incoming[];
  readonly project?: string;
  readonly was?: string;
  /** Writes the settings, if they are wanted. */
  readonly settings?: () => Omit<MergedSettings, 'text'>;
  readonly conversations: readonly Episode[];
}

const userFiles = (home: string): ConfigFiles => configFiles({ user: placesIn(home).settings });

/** The conversations of a bundle by project; one that is damaged spoils all. */
function readAll(
  listed: readonly BundledExtra[],
  texts: ReadonlyMap<string, string>,
  unpack: Episodes['unpack'],
): Result<ReadonlyMap<string, readonly Episode[]>> {
  const all = new Map<string, Episode[]>();
  for (const { name, project = '' } of listed) {
    const read = unpack(name, texts.get(name) ?? '');
    if (!read.ok) return read;
    all.set(project, [...(all.get(project) ?? []), read.value]);
  }
  return ok(all);
}

/** The settings that a bundle has for a project, or for the user, ready to be written. */
function settingsFor(
  listed: readonly BundledExtra[],
  texts: ReadonlyMap<string, string>,
  project: string | undefined,
  files: ConfigFiles,
): Result<Pick<Ready, 'settings'>> {
  const found = listed.find((one) => one.project === project);
  if (!found) return ok({});
  const [level, names] = project === undefined ? (['user', [USER_OBJECT]] as const) : (['project', []] as const);
  const before = files.read(level);
  const merged = mergeSettings(before, texts.get(found.name) ?? '', names);
  if (!merged.ok) return merged;
  const { text, taken, kept, refused } = merged.value;
  return ok({
    settings: () => {
      const isWritten = text === undefined || text === before || files.write(level, text, before);
      return isWritten ? { taken, kept, refused } : { taken: [], kept: [...kept, ...taken], refused };
    },
  });
}

/** Everything is read and checked, and every memory opened, before the first file is written. */
async function importBundle(
  request: BundlesRequest,
  file: string,
  { here = false, settings: wanted = false }: BundleImportOptions,
): Promise<Result<BundleImport>> {
  const { home, cwd, now, current } = request;
  const entries = readBundleFile(file);
  if (!entries.ok) return entries;
  const read = readBundle(entries.value, sha256);
  if (!read.ok) return read;
  const { manifest, texts } = read.value;
  if (here && manifest.projects.length !== 1)
    return refuse('INPUT_ERROR', `the bundle holds ${manifest.projects.length} projects, and --here takes one`, {
      hint: 'holdfast export --scope project packs one',
    });
  const told =
    manifest.conversations.length === 0 ? ok(new Map<string, readonly Episode[]>()) : readAll(manifest.conversations, texts, (await request.episodes()).unpack);
  if (!told.ok) return told;
  const registry = registryIn(home);
  if (here) await current().remember();
  const homes = manifest.projects.map((project) => ({ project, key: here ? current().project.key : keyFor(project, registry.read().projects) }));
  const opened: ComposedMemory[] = [];
  const ready: Ready[] = [];
  try {
    for (const { project, key } of homes) {
      const memory = openBundled(home, cwd, now, { ...project, key }, registry.read().projects);
      if (!memory.ok) return memory;
      opened.push(memory.value);
      const incoming = await checkIncoming(
        memory.value.memory,
        manifest.files.filter((one) => one.project === project.key),
        texts,
      );
      if (!incoming.ok) return incoming;
      const files = configFiles({ user: placesIn(home).settings, project: join(placesIn(home).privateRoot(key), CONFIG_NAME) });
      const settings = settingsFor(manifest.settings, texts, project.key, files);
      if (!settings.ok) return settings;
      ready.push({
        memory: memory.value,
        incoming: incoming.value,
        project: key,
        ...(key !== project.key && { was: project.key }),
        ...settings.value,
        conversations: told.value.get(project.key) ?? [],
      });
    }
    const own = manifest.files.filter((one) => one.project === undefined);
    const ownSettings = settingsFor(manifest.settings, texts, undefined, userFiles(home));
    if (!ownSettings.ok) return ownSettings;
    if (own.length > 0 || ownSettings.value.settings) {
      const user = openUser({ home, now });
      opened.push(user);
      const incoming = await checkIncoming(user.memory, own, texts);
      if (!incoming.ok) return incoming;
      ready.push({ memory: user, incoming: incoming.value, ...ownSettings.value, conversations: [] });
    }
    await registry.update((before) => ({
      ...before,
      projects: [
        ...before.projects,
        ...homes.filter(({ key }) => !before.projects.some((entry) => entry.key === key)).map(({ project, key }) => seen(project, key, now())),
      ],
    }));
    const parts: MergedPart[] = [];
    for (const { memory, incoming, project, was, settings, conversations } of ready) {
      const merged = await mergeBundle(memory.memory, incoming, AUTHOR);
      const room = memory.memory.config.get('archive.maxBytes');
      const messages = conversations.length === 0 || project === undefined ? undefined : await (await request.episodes()).takeIn(project, room, conversations);
      parts.push({
        ...merged,
        ...(project !== undefined && { project }),
        ...(was !== undefined && { was }),
        ...(messages !== undefined && { messages }),
        ...(settings && (wanted ? { settings: settings() } : { offered: true })),
      });
    }
    return ok({ file, parts });
  } finally {
    for (const one of opened) await one.close();
  }
}

const seen = (project: BundledProject, key: string, now: number): RegistryEntry => ({ ...project, key, createdAt: utcSeconds(now), lastSeen: utcSeconds(now) });

/** The key of the same project here; a name that another project has is not taken from it. */
function keyFor(project: BundledProject, known: readonly RegistryEntry[]): string {
  const isSame = (entry: RegistryEntry): boolean =>
    entry.identity === project.identity || (entry.remote !== undefined && entry.remote === project.remote && entry.firstCommit === project.firstCommit);
  const same = known.find(isSame);
  if (same) return same.key;
  const taken = { has: (key: string) => known.some((entry) => entry.key === key) };
  return taken.has(project.key) ? uniqueSlug(`${project.key.slice(0, 73)}-${project.hash.slice(0, 6)}`, taken) : project.key;
}

/** The memory that a project's files go to: the one that is here, or a new one under its key. */
function openBundled(home: string, cwd: string, now: Clock, project: BundledProject, known: readonly RegistryEntry[]): Result<ComposedMemory> {
  if (known.some(({ key }) => key === project.key)) return openProject({ home, cwd, word: project.key, now });
  const places = placesIn(home);
  const privateRoot = places.privateRoot(project.key);
  const config = configFiles({ user: places.settings, project: join(privateRoot, CONFIG_NAME) });
  const { key, hash, identity, path } = project;
  // The registry learns of it before anything is written.
  const located = { config, remember: async () => {}, project: { key, hash, identity, path, worktree: path, found: 'known', privateRoot } } as const;
  return ok(openLocated(located, { home, now }));
}
