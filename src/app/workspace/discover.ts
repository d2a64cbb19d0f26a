import { tidyPath } from '../../core/project/folder.ts';
import { needsIn, nameIn, type PackageManifest } from './manifest.ts';
import { utcSeconds } from '../../core/instant.ts';
import { ok, type Result } from '../../core/result.ts';
import { putRelationship, type Relationship } from '../../render/documents/workspace.ts';
import { DOCUMENTS } from '../documents/read.ts';
import type { Memory } from '../memory/memory.ts';
import { editWorkspace, isSameProject, readWorkspace } from './workspace.ts';

/** The facts about a project from its files and repository. */
export interface ProjectSurvey {
  readonly key: string;
  readonly path: string;
  readonly manifests: readonly PackageManifest[];
  /** Normalised URLs of its remotes, by name. */
  readonly remotes: ReadonlyMap<string, string>;
}

export interface FoundRelation {
  readonly relation: 'depends-on' | 'fork-of' | 'changed-with';
  readonly to: string;
  /** The file or fact that it was found in. */
  readonly note: string;
}

const isRooted = (path: string): boolean => /^(?:\/|[A-Za-z]:\/)/.test(path);

/** Resolves a path against the project's folder. */
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

/** The project that contains a path; the inner one of nested projects. */
const owner = (path: string, projects: readonly ProjectSurvey[]): ProjectSurvey | undefined =>
  projects.filter(({ path: folder }) => folder !== '' && folder !== '/' && holds(folder, path)).toSorted((a, b) => b.path.length - a.path.length)[0];

/** The dependencies in one manifest: names in lower case, and the projects that its paths lead to. */
interface ManifestNeeds {
  readonly file: string;
  readonly names: ReadonlySet<string>;
  readonly owners: ReadonlySet<ProjectSurvey | undefined>;
}

function needsOf({ path, manifests }: ProjectSurvey, everyone: readonly ProjectSurvey[]): readonly ManifestNeeds[] {
  return manifests.map((manifest) => {
    const { names, paths } = needsIn(manifest);
    return {
      file: manifest.file,
      names: new Set(names.map((name) => name.toLowerCase())),
      owners: new Set(paths.map((needed) => owner(resolved(path, needed), everyone))),
    };
  });
}

/** The manifest that names another project as a dependency. */
const manifestNaming = (dependencies: readonly ManifestNeeds[], other: ProjectSurvey): string | undefined =>
  dependencies.find(({ file, names, owners }) => {
    const declared = other.manifests.find((own) => own.file === file || isPython(own.file, file));
    const name = declared && nameIn(declared)?.toLowerCase();
    return owners.has(other) || (name !== undefined && names.has(name));
  })?.file;

/** A requirements.txt names what a pyproject.toml declares. */
const isPython = (declares: string, needs: string): boolean => declares === 'pyproject.toml' && needs === 'requirements.txt';

function forkOf({ remotes }: ProjectSurvey, other: ProjectSurvey): string | undefined {
  const theirs = [...other.remotes].flatMap(([name, url]) => (name === 'upstream' ? [] : [url]));
  const [name] =
    [...remotes].find(([called, url]) => (called === 'upstream' && theirs.includes(url)) || url === `file:/${other.path.replace(/^\/+/, '')}`) ?? [];
  return name === undefined ? undefined : `remote ${name}`;
}

/** The strongest relation of a project to each other one, from manifests, remotes and the files edited in a session. */
export function relationsOf(project: ProjectSurvey, others: readonly ProjectSurvey[], edited: readonly string[]): readonly FoundRelation[] {
  const everyone = [project, ...others];
  const dependencies = needsOf(project, everyone);
  const changed = new Set(edited.map((file) => owner(resolved(project.path, file), everyone)));
  return others.flatMap((other): FoundRelation[] => {
    const [manifest, remote] = [manifestNaming(dependencies, other), forkOf(project, other)];
    if (manifest !== undefined) return [{ relation: 'depends-on', to: other.key, note: manifest }];
    if (remote !== undefined) return [{ relation: 'fork-of', to: other.key, note: remote }];
    return changed.has(other) ? [{ relation: 'changed-with', to: other.key, note: 'files of both were changed in one session' }] : [];
  });
}

/** Reading more projects would take too long. */
const MOST_PROJECTS = 200;

/** Reads a project's manifests and remotes; undefined if this machine does not have its folder. */
export type SurveyProject = (key: string, path: string) => ProjectSurvey | undefined;

/** The relations of a project to the others on the map, from its files. */
export function relationsAround(
  project: { readonly key: string; readonly worktree: string },
  map: readonly { readonly project: string; readonly path: string }[],
  edited: readonly string[],
  survey: SurveyProject,
): readonly FoundRelation[] {
  const others: ProjectSurvey[] = [];
  for (const other of map) {
    if (others.length === MOST_PROJECTS) break;
    const surveyed = other.path === '' || isSameProject(other.project, project.key) ? undefined : survey(other.project, other.path);
    if (surveyed) others.push(surveyed);
  }
  if (others.length === 0) return [];
  const ownSurvey = survey(project.key, project.worktree) ?? { key: project.key, path: tidyPath(project.worktree), manifests: [], remotes: new Map() };
  return relationsOf(ownSurvey, others, edited);
}

const reasonFor = (from: string, to: string): string => `found: ${from} → ${to}`;

/** Adds found relationships to the map, except known ones and those that were found before and removed since. */
export async function addFoundRelations(user: Memory, from: string, found: readonly FoundRelation[], actor: string): Promise<Result<readonly Relationship[]>> {
  const { relationships } = await readWorkspace(user);
  const newRelations = found.filter(
    ({ to }) =>
      !relationships.some(
        (known) => (isSameProject(known.from, from) && isSameProject(known.to, to)) || (isSameProject(known.from, to) && isSameProject(known.to, from)),
      ),
  );
  if (newRelations.length === 0) return ok([]);
  const { path, root } = DOCUMENTS.workspace;
  const before = new Set((await user.store.journal.entries()).filter((entry) => entry.root === root && entry.path === path).map(({ reason }) => reason));
  const added: Relationship[] = [];
  for (const { relation, to, note } of newRelations.filter((one) => !before.has(reasonFor(from, one.to)))) {
    const row = { from, relation, to, note: `found ${utcSeconds(user.now()).slice(0, 10)}: ${note}` };
    const written = await editWorkspace(user, (source) => ok(putRelationship(source, row)), { actor, reason: reasonFor(from, to) });
    if (!written.ok) return written;
    added.push(row);
  }
  return ok(added);
}
