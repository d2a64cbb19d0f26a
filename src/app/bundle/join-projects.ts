import { isReplaced, separatedFrom, namesOf, type RegistryEntry } from '../../core/project/registry.ts';
import { ok, refuse, type Refusal, type Result } from '../../core/result.ts';
import { undo } from '../history/undo.ts';
import { isDerived } from '../memory/layout.ts';
import type { Memory } from '../memory/memory.ts';
import type { BundledProjectMemory, BundleHost } from './host.ts';
import { collectBundle } from './collect.ts';
import { bundled } from './export.ts';
import { readBundle } from './manifest.ts';
import { type BundleMerge, checkIncoming, mergeBundle } from './merge.ts';
import { isSameRepository, repositoryOf } from '../project/repository-trace.ts';

export interface JoinedProjects extends BundleMerge {
  readonly from: string;
  readonly into: string;
  /** The action in the log of the project that stays; absent when no file came. */
  readonly action?: string;
  readonly sessions: number;
  readonly messages: number;
}

export interface SplitProjects {
  readonly project: string;
  readonly from: string;
  /** Number of files whose merge was reverted, and why it was not. */
  readonly files: number;
  readonly kept?: Refusal;
  readonly sessions: number;
}

export interface JoinRequest {
  /** The project that becomes part of the other. */
  readonly from: string;
  readonly into: string;
  readonly actor: string;
}

/** Merges projects that are the same, and splits them again. */
export interface ProjectJoining {
  /** Copies everything of one project into another and maps its folders to that project; its own files stay in place. */
  join(request: JoinRequest): Promise<Result<JoinedProjects>>;
  /** Makes a merged project a project of its own again. */
  split(request: JoinRequest): Promise<Result<SplitProjects>>;
  /** Other projects that are clones of this repository, and that the user has not split from it. */
  clones(): readonly { readonly key: string; readonly path: string }[];
  /** The project whose repository lay in this folder before; undefined if there is none, or the user keeps the two apart. */
  former(): { readonly key: string } | undefined;
  /** Records that the current project is separate from another, so that no command proposes to merge them again. */
  keepApart(from: string): Promise<void>;
}

/** A merged project in the registry: its entry before, and the action that copied its files. */
type MergedEntry = RegistryEntry & { readonly mergedBy?: string };

export const projectJoining = (host: BundleHost): ProjectJoining => ({
  join: (request) => joinProjects(host, request),
  split: (request) => splitProjects(host, request),
  clones: () => clonesOf(host),
  former: () => {
    const { key } = host.current().project;
    const { projects } = host.registry.read();
    const isApart = apartFrom(projects, key);
    const here = projects.find((one) => one.key === key);
    return projects.find((one) => one.key !== key && one.path === here?.path && isReplaced(one) && !isApart(one));
  },
  keepApart: async (from) => {
    const { project, register } = host.current();
    await register();
    await host.registry.update((before) => ({
      ...before,
      projects: before.projects.map((one) => (one.key === project.key ? separatedFrom(one, from) : one)),
    }));
  },
});

/** Whether the user keeps another project apart from this one. */
function apartFrom(projects: readonly RegistryEntry[], key: string): (other: RegistryEntry) => boolean {
  const here = projects.find((entry) => entry.key === key);
  return (other) => other.apartFrom?.includes(key) === true || here?.apartFrom?.includes(other.key) === true;
}

function clonesOf(host: BundleHost): readonly RegistryEntry[] {
  const { projects } = host.registry.read();
  const { key } = host.current().project;
  const here = projects.find((entry) => entry.key === key);
  const isApart = apartFrom(projects, key);
  const others = projects.filter((one) => one.key !== key && one.firstCommit !== undefined && !isApart(one));
  if (others.length === 0) return [];
  // The registry does not know a folder whose memory was never written.
  const repository = here ?? repositoryOf(host.current().facts);
  return others.filter((one) => isSameRepository(one, repository));
}

async function joinProjects(host: BundleHost, { from, into, actor }: JoinRequest): Promise<Result<JoinedProjects>> {
  // A folder without a memory of its own can become part of another project too.
  if (from !== into && host.current().project.key === from) await host.current().register();
  const { projects } = host.registry.read();
  const [source, target] = [projects.find(({ key }) => key === from), projects.find(({ key }) => key === into)];
  if (from === into) return refuse('USAGE_ERROR', `${from} is this project already.`, { hint: 'holdfast workspace lists your projects' });
  if (!source) return refuse('NOT_FOUND', `No project ${from} found.`, { missing: true, hint: 'holdfast workspace lists your projects' });
  if (!target) return refuse('NOT_FOUND', `${into} has no memory yet.`, { missing: true, hint: 'turn it on with holdfast start, then merge' });
  const merged = await withProjects(host, [from, into], (theirs, ours) => mergeFiles(host, source, { theirs, ours, actor }));
  if (!merged.ok) return merged;
  const moved = await (await host.episodes()).copyConversations(from, into);
  const entry: MergedEntry = { ...source, ...(merged.value.action !== undefined && { mergedBy: merged.value.action }) };
  await host.registry.update((before) => ({
    ...before,
    projects: before.projects
      .filter(({ key }) => key !== from)
      .map((one) => (one.key === into ? { ...one, joined: [...(one.joined ?? []), ...namesOf(entry).map(withoutJoined)] } : one)),
  }));
  return ok({ from, into, ...merged.value, ...moved });
}

const withoutJoined = ({ joined: _joined, ...entry }: RegistryEntry): RegistryEntry => entry;

async function splitProjects(host: BundleHost, { from, into, actor }: JoinRequest): Promise<Result<SplitProjects>> {
  const merged: MergedEntry | undefined = host.registry
    .read()
    .projects.find(({ key }) => key === into)
    ?.joined?.find(({ key }) => key === from);
  if (!merged)
    return refuse('NOT_FOUND', `No project ${from} was merged into ${into}.`, { missing: true, hint: 'run it in the project that it was merged into' });
  const { mergedBy, ...entry } = merged;
  const reverted = await withProjects(host, [into], async (ours) => ok(mergedBy === undefined ? undefined : await undo(ours, { actor, groups: [mergedBy] })));
  if (!reverted.ok) return reverted;
  const sessions = await (await host.episodes()).returnConversations(from, into);
  await host.registry.update((before) => ({
    ...before,
    projects: [...before.projects.map((one) => (one.key === into ? without(one, entry) : one)), separatedFrom(entry, into)],
  }));
  const files = reverted.value?.ok === true ? reverted.value.value.reduce((sum, one) => sum + one.entries.length, 0) : 0;
  return ok({ project: into, from, files, sessions, ...(reverted.value?.ok === false && { kept: reverted.value.error }) });
}

function without(project: RegistryEntry, merged: RegistryEntry): RegistryEntry {
  const { joined = [], ...rest } = project;
  const remaining = joined.filter(({ key }) => key !== merged.key);
  return { ...rest, paths: rest.paths.filter((path) => !merged.paths.includes(path)), ...(remaining.length > 0 && { joined: remaining }) };
}

interface FileMerge {
  readonly theirs: Memory;
  readonly ours: Memory;
  readonly actor: string;
}

/** Reads and checks everything before the first file is written. */
async function mergeFiles(
  host: BundleHost,
  source: RegistryEntry,
  { theirs, ours, actor }: FileMerge,
): Promise<Result<BundleMerge & { readonly action?: string }>> {
  const { entries } = await collectBundle([{ memory: theirs, project: bundled(source) }], 'project', { sha256: host.sha256, now: host.now() });
  const read = readBundle(entries, host.sha256);
  if (!read.ok) return read;
  const { manifest, texts } = read.value;
  const incoming = await checkIncoming(
    ours,
    manifest.files.filter(({ path }) => !isDerived(path)),
    texts,
  );
  if (!incoming.ok) return incoming;
  const before = (await ours.store.journal.entries()).length;
  const merged = await mergeBundle(ours, incoming.value, { actor, reason: `from ${source.key}` }, 'again');
  const action = (await ours.store.journal.entries()).slice(before).find(({ op }) => op !== 'adopt')?.group;
  return ok({ ...merged, ...(action !== undefined && { action }) });
}

async function withProjects<T>(
  host: BundleHost,
  keys: readonly string[],
  work: (...memories: readonly [Memory, Memory]) => Promise<Result<T>>,
): Promise<Result<T>> {
  const opened: BundledProjectMemory[] = [];
  try {
    for (const key of keys) {
      const one = host.openProject(key);
      if (!one.ok) return one;
      opened.push(one.value);
    }
    const [first, second = first] = opened.map(({ memory }) => memory);
    if (first === undefined || second === undefined) return refuse('NOT_FOUND', 'No project was named.', { missing: true });
    return await work(first, second);
  } finally {
    for (const one of opened) await one.close();
  }
}
