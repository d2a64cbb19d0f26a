import { tidyPath } from '../../core/project/folder.ts';
import { needsIn, nameIn, type PackageManifest } from './manifest.ts';
import { utcSeconds } from '../../core/instant.ts';
import { ok, type Result } from '../../core/result.ts';
import { putRelationship, type Relationship } from '../../render/documents/workspace.ts';
import { DOCUMENTS } from '../documents/read.ts';
import type { Memory } from '../memory/memory.ts';
import { editWorkspace, readWorkspace } from './workspace.ts';

/** The facts about a project from its files and repository. */
export interface Surveyed {
  readonly key: string;
  readonly path: string;
  readonly manifests: readonly PackageManifest[];
  /** Where its repository comes from, in one spelling, by the name of the remote. */
  readonly remotes: ReadonlyMap<string, string>;
}

export interface FoundRelation {
  readonly relation: 'depends-on' | 'fork-of' | 'changed-with';
  readonly to: string;
  /** The file or fact that it was found in. */
  readonly note: string;
}

const isRooted = (path: string): boolean => /^(?:\/|[A-Za-z]:\/)/.test(path);

/** A path as the project's own folder sees it; dots are worked out. */
function resolved(base: string, path: string): string {
  const plain = path.replaceAll('\\', '/');
  const parts: string[] = [];
  for (const part of (isRooted(plain) ? plain : `${base}/${plain}`).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && (part !== '' || parts.length === 0)) parts.push(part);
  }
  return parts.join('/');
}

const holds = (folder: string, path: string): boolean => path === folder || path.startsWith(`${folder}/`);

/** The project that a path lies in; of two that are nested, the inner one. */
const owner = (path: string, projects: readonly Surveyed[]): Surveyed | undefined =>
  projects.filter(({ path: folder }) => folder !== '' && folder !== '/' && holds(folder, path)).toSorted((a, b) => b.path.length - a.path.length)[0];

/** The needs of one manifest of a project: names in lower case, and the projects that its paths lead to. */
interface ManifestNeeds {
  readonly file: string;
  readonly names: ReadonlySet<string>;
  readonly owners: ReadonlySet<Surveyed | undefined>;
}

function needsOf({ path, manifests }: Surveyed, everyone: readonly Surveyed[]): readonly ManifestNeeds[] {
  return manifests.map((manifest) => {
    const { names, paths } = needsIn(manifest);
    return {
      file: manifest.file,
      names: new Set(names.map((name) => name.toLowerCase())),
      owners: new Set(paths.map((needed) => owner(resolved(path, needed), everyone))),
    };
  });
}

/** The manifest that asks for another project. */
const asking = (dependencies: readonly ManifestNeeds[], other: Surveyed): string | undefined =>
  dependencies.find(({ file, names, owners }) => {
    const declared = other.manifests.find((own) => own.file === file || isPython(own.file, file));
    const name = declared && nameIn(declared)?.toLowerCase();
    return owners.has(other) || (name !== undefined && names.has(name));
  })?.file;

/** A requirements.txt names what a pyproject.toml declares. */
const isPython = (declares: string, needs: string): boolean => declares === 'pyproject.toml' && needs === 'requirements.txt';

function forkOf({ remotes }: Surveyed, other: Surveyed): string | undefined {
  const theirs = [...other.remotes].flatMap(([name, url]) => (name === 'upstream' ? [] : [url]));
  const [name] =
    [...remotes].find(([called, url]) => (called === 'upstream' && theirs.includes(url)) || url === `file:/${other.path.replace(/^\/+/, '')}`) ?? [];
  return name === undefined ? undefined : `remote ${name}`;
}

/** How a project relates to others, as its manifests, its remotes and the files that were changed in a session show; the strongest for each. */
export function relationsOf(project: Surveyed, others: readonly Surveyed[], edited: readonly string[]): readonly FoundRelation[] {
  const everyone = [project, ...others];
  const dependencies = needsOf(project, everyone);
  const changed = new Set(edited.map((file) => owner(resolved(project.path, file), everyone)));
  return others.flatMap((other): FoundRelation[] => {
    const [manifest, remote] = [asking(dependencies, other), forkOf(project, other)];
    if (manifest !== undefined) return [{ relation: 'depends-on', to: other.key, note: manifest }];
    if (remote !== undefined) return [{ relation: 'fork-of', to: other.key, note: remote }];
    return changed.has(other) ? [{ relation: 'changed-with', to: other.key, note: 'files of both were changed in one session' }] : [];
  });
}

/** More projects than this are not looked into in the time there is. */
const MOST_PROJECTS = 200;

/** Reads what the files and the repository of a project say of it; undefined if this machine does not have its folder. */
export type SurveyProject = (key: string, path: string) => Surveyed | undefined;

/** How a project relates to the others on the map, as far as files can tell. */
export function relationsAround(
  project: { readonly key: string; readonly worktree: string },
  map: readonly { readonly project: string; readonly path: string }[],
  edited: readonly string[],
  survey: SurveyProject,
): readonly FoundRelation[] {
  const others: Surveyed[] = [];
  for (const other of map) {
    if (others.length === MOST_PROJECTS) break;
    const found = other.path === '' || other.project.toLowerCase() === project.key.toLowerCase() ? undefined : survey(other.project, other.path);
    if (found) others.push(found);
  }
  if (others.length === 0) return [];
  const own = survey(project.key, project.worktree) ?? { key: project.key, path: tidyPath(project.worktree), manifests: [], remotes: new Map() };
  return relationsOf(own, others, edited);
}

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
const reasonFor = (from: string, to: string): string => `found: ${from} → ${to}`;

/** Puts relationships that were found in the work on the map: those that it does not know, and none that was found before and has been taken off since. */
export async function addFound(user: Memory, from: string, found: readonly FoundRelation[], actor: string): Promise<Result<readonly Relationship[]>> {
  const { relationships } = await readWorkspace(user);
  const unknown = found.filter(
    ({ to }) => !relationships.some((known) => (same(known.from, from) && same(known.to, to)) || (same(known.from, to) && same(known.to, from))),
  );
  if (unknown.length === 0) return ok([]);
  const { path, root } = DOCUMENTS.workspace;
  const before = new Set((await user.store.journal.entries()).filter((entry) => entry.root === root && entry.path === path).map(({ reason }) => reason));
  const added: Relationship[] = [];
  for (const { relation, to, note } of unknown.filter((one) => !before.has(reasonFor(from, one.to)))) {
    const row = { from, relation, to, note: `found ${utcSeconds(user.now()).slice(0, 10)}: ${note}` };
    const written = await editWorkspace(user, (source) => ok(putRelationship(source, row)), { actor, reason: reasonFor(from, to) });
    if (!written.ok) return written;
    added.push(row);
  }
  return ok(added);
}
