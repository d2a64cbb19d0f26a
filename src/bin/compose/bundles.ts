import { join, resolve } from 'node:path';
import { readBundleFile, sha256, writeBundleFile } from '../../adapters/files/bundle-file.ts';
import { configFiles } from '../../adapters/files/config-files.ts';
import { RegistryFile } from '../../adapters/files/registry.ts';
import { openDatabase } from '../../adapters/sqlite/binding.ts';
import type { Bundles, Exported, Imported, MergedPart } from '../../app/bundle/bundles.ts';
import { collectBundle, type Part } from '../../app/bundle/export.ts';
import { checkIncoming, type Incoming, mergeBundle } from '../../app/bundle/import.ts';
import { type BundledProject, readBundle, type Scope } from '../../app/bundle/manifest.ts';
import { utcSeconds } from '../../core/instant.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { RegistryEntry } from '../../core/project/registry.ts';
import { uniqueSlug } from '../../core/project/slug.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import type { ComposedMemory } from './memory.ts';
import { CONFIG_NAME, placesIn } from './places.ts';
import { openLocated, openProject, openUser, type ProjectMemory } from './project.ts';

export interface BundlesRequest {
  readonly home: string;
  readonly cwd: string;
  readonly now: Clock;
  /** The project at hand. */
  readonly current: () => ProjectMemory;
}

const AUTHOR = { actor: 'import', reason: 'from a bundle' } as const;

/** Bundles of the memories under one home. */
export const openBundles = (request: BundlesRequest): Bundles => ({
  export: (file, scope) => exportBundle(request, resolve(request.cwd, file), scope),
  import: (file, here = false) => importBundle(request, resolve(request.cwd, file), here),
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

async function exportBundle({ home, cwd, now, current }: BundlesRequest, file: string, scope: Scope): Promise<Result<Exported>> {
  const known = registryIn(home).read().projects;
  const wanted = scope === 'user' ? [] : scope === 'all' ? known : known.filter(({ key }) => key === current().project.key);
  if (scope === 'project' && wanted.length === 0)
    return refuse('NOT_FOUND', 'this project has no memory yet', { missing: true, hint: 'holdfast save keeps a record' });
  const opened: ComposedMemory[] = [];
  try {
    const parts: Part[] = [];
    for (const entry of wanted) {
      const one = openProject({ home, cwd, word: entry.key, now });
      if (!one.ok) return one;
      opened.push(one.value);
      parts.push({ memory: one.value.memory, project: bundled(entry) });
    }
    if (scope !== 'project') {
      const user = openUser(home, now);
      opened.push(user);
      parts.push({ memory: user.memory });
    }
    const { entries, ...packed } = await collectBundle(parts, scope, { sha256, now: now() });
    return ok({ ...packed, file, bytes: writeBundleFile(file, entries) });
  } finally {
    for (const one of opened) await one.close();
  }
}

/** Everything is read and checked, and every memory opened, before the first file is written. */
async function importBundle({ home, cwd, now, current }: BundlesRequest, file: string, here: boolean): Promise<Result<Imported>> {
  const entries = readBundleFile(file);
  if (!entries.ok) return entries;
  const read = readBundle(entries.value, sha256);
  if (!read.ok) return read;
  const { manifest, texts } = read.value;
  if (here && manifest.projects.length !== 1)
    return refuse('INPUT_ERROR', `the bundle holds ${manifest.projects.length} projects, and --here takes one`, {
      hint: 'holdfast export --scope project packs one',
    });
  const registry = registryIn(home);
  if (here) await current().remember();
  const homes = manifest.projects.map((project) => ({ project, key: here ? current().project.key : keyFor(project, registry.read().projects) }));
  const opened: ComposedMemory[] = [];
  const ready: { readonly memory: ComposedMemory; readonly incoming: readonly Incoming[]; readonly project?: string; readonly was?: string }[] = [];
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
      ready.push({ memory: memory.value, incoming: incoming.value, project: key, ...(key !== project.key && { was: project.key }) });
    }
    const own = manifest.files.filter((one) => one.project === undefined);
    if (own.length > 0) {
      const user = openUser(home, now);
      opened.push(user);
      const incoming = await checkIncoming(user.memory, own, texts);
      if (!incoming.ok) return incoming;
      ready.push({ memory: user, incoming: incoming.value });
    }
    await registry.update((before) => ({
      ...before,
      projects: [
        ...before.projects,
        ...homes.filter(({ key }) => !before.projects.some((entry) => entry.key === key)).map(({ project, key }) => seen(project, key, now())),
      ],
    }));
    const parts: MergedPart[] = [];
    for (const { memory, incoming, project, was } of ready) {
      const merged = await mergeBundle(memory.memory, incoming, AUTHOR);
      parts.push({ ...merged, ...(project !== undefined && { project }), ...(was !== undefined && { was }) });
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
