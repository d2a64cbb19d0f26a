import type { ConfigFiles } from '../../core/config/effective.ts';
import { utcSeconds } from '../../core/instant.ts';
import { type RegistryEntry, withName } from '../../core/project/registry.ts';
import { uniqueSlug } from '../../core/project/slug.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { USER_OBJECT } from '../config/load.ts';
import type { Episodes } from '../episodes/episodes.ts';
import type { Episode } from '../episodes/read.ts';
import type { BundleImport, BundleImportOptions, MergedPart } from './bundles.ts';
import type { BundledMemory, BundledProjectMemory, BundleHost } from './host.ts';
import { type BundledExtra, type BundledProject, readBundle } from './manifest.ts';
import { checkIncoming, type IncomingFile, mergeBundle } from './merge.ts';
import { type MergedSettings, mergeSettings } from './settings.ts';
import { isSameRepository } from '../project/repository-trace.ts';

interface PreparedPart {
  readonly memory: BundledMemory;
  readonly incoming: readonly IncomingFile[];
  readonly project?: string;
  readonly was?: string;
  /** Writes the settings; called only if they were requested. */
  readonly settings?: () => Omit<MergedSettings, 'text'>;
  readonly conversations: readonly Episode[];
}

/** The conversations of a bundle by project; a damaged one refuses the bundle. */
function readAll(
  listed: readonly BundledExtra[],
  texts: ReadonlyMap<string, string>,
  unpack: Episodes['parseConversation'],
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
): Result<Pick<PreparedPart, 'settings'>> {
  const settings = listed.find((one) => one.project === project);
  if (!settings) return ok({});
  const [level, names] = project === undefined ? (['user', [USER_OBJECT]] as const) : (['project', []] as const);
  const before = files.read(level);
  const merged = mergeSettings(before, texts.get(settings.name) ?? '', names);
  if (!merged.ok) return merged;
  const { text, taken, kept, refused } = merged.value;
  return ok({
    settings: () => {
      const isWritten = text === undefined || text === before || files.write(level, text, before);
      return isWritten ? { taken, kept, refused } : { taken: [], kept: [...kept, ...taken], refused };
    },
  });
}

/** Imports a bundle. Reads and checks everything, and opens every memory, before it writes the first file. */
export async function importBundle(
  host: BundleHost,
  name: string,
  { here = false, settings: takesSettings = false }: BundleImportOptions = {},
): Promise<Result<BundleImport>> {
  const { registry } = host;
  const file = host.resolve(name);
  const entries = host.readFile(file);
  if (!entries.ok) return entries;
  const read = readBundle(entries.value, host.sha256);
  if (!read.ok) return read;
  const { manifest, texts } = read.value;
  if (here && manifest.projects.length !== 1)
    return refuse('INPUT_ERROR', `the bundle holds ${manifest.projects.length} projects, but --here needs exactly one`, {
      hint: 'holdfast export --scope project packs one',
    });
  const episodes =
    manifest.conversations.length === 0
      ? ok(new Map<string, readonly Episode[]>())
      : readAll(manifest.conversations, texts, (await host.episodes()).parseConversation);
  if (!episodes.ok) return episodes;
  if (here) await host.current().register();
  const homes = manifest.projects.map((project) => ({ project, key: here ? host.current().project.key : keyFor(project, registry.read().projects) }));
  const opened: BundledMemory[] = [];
  const ready: PreparedPart[] = [];
  try {
    for (const { project, key } of homes) {
      const memory = openBundled(host, { ...project, key });
      if (!memory.ok) return memory;
      opened.push(memory.value);
      const incoming = await checkIncoming(
        memory.value.memory,
        manifest.files.filter((one) => one.project === project.key),
        texts,
      );
      if (!incoming.ok) return incoming;
      const settings = settingsFor(manifest.settings, texts, project.key, memory.value.config);
      if (!settings.ok) return settings;
      ready.push({
        memory: memory.value,
        incoming: incoming.value,
        project: key,
        ...(key !== project.key && { was: project.key }),
        ...settings.value,
        conversations: episodes.value.get(project.key) ?? [],
      });
    }
    const userFiles = manifest.files.filter((one) => one.project === undefined);
    const userSettings = settingsFor(manifest.settings, texts, undefined, host.userConfig);
    if (!userSettings.ok) return userSettings;
    if (userFiles.length > 0 || userSettings.value.settings) {
      const user = host.openUser();
      opened.push(user);
      const incoming = await checkIncoming(user.memory, userFiles, texts);
      if (!incoming.ok) return incoming;
      ready.push({ memory: user, incoming: incoming.value, ...userSettings.value, conversations: [] });
    }
    await registry.update((before) => ({
      ...before,
      projects: [
        ...before.projects,
        ...homes.filter(({ key }) => !before.projects.some((entry) => entry.key === key)).map(({ project, key }) => newEntry(project, key, host.now())),
      ],
    }));
    const parts: MergedPart[] = [];
    for (const { memory, incoming, project, was, settings, conversations } of ready) {
      const merged = await mergeBundle(memory.memory, incoming, { actor: 'import', reason: 'from a bundle' });
      const room = memory.memory.config.get('archive.maxBytes');
      const messages =
        conversations.length === 0 || project === undefined ? undefined : await (await host.episodes()).importConversations(project, room, conversations);
      parts.push({
        ...merged,
        ...(project !== undefined && { project }),
        ...(was !== undefined && { was }),
        ...(messages !== undefined && { messages }),
        ...(settings && (takesSettings ? { settings: settings() } : { offered: true })),
      });
    }
    return ok({ file, parts });
  } finally {
    for (const one of opened) await one.close();
  }
}

const newEntry = (project: BundledProject, key: string, now: number): RegistryEntry => ({
  ...project,
  key,
  createdAt: utcSeconds(now),
  lastSeen: utcSeconds(now),
});

/** The key of the same project here, or a free key. */
function keyFor(project: BundledProject, known: readonly RegistryEntry[]): string {
  const [same] = withName(known, ({ identity }) => identity === project.identity).concat(withName(known, (entry) => isSameRepository(entry, project)));
  if (same) return same.key;
  const usedKeys = { has: (key: string) => known.some((entry) => entry.key === key) };
  return usedKeys.has(project.key) ? uniqueSlug(`${project.key.slice(0, 73)}-${project.hash.slice(0, 6)}`, usedKeys) : project.key;
}

/** Opens the memory of a bundled project: the existing one, or a new one under its key. */
const openBundled = (host: BundleHost, project: BundledProject): Result<BundledProjectMemory> =>
  host.registry.read().projects.some(({ key }) => key === project.key) ? host.openProject(project.key) : ok(host.openNewProject(project));
