import { ok, refuse, type Result } from '../../core/result.ts';
import { EMPTY_WORKSPACE, isListed, parseWorkspace, putProject, type WorkspaceMap } from '../../render/documents/workspace.ts';
import { DOCUMENTS, documentText } from '../documents/read.ts';
import { writeDocument, type WrittenDocument } from '../documents/write.ts';
import type { Memory } from '../memory/memory.ts';
import type { Author } from '../write/transaction.ts';

/** The map of the user's projects: one document in the home, edited by command or by hand. `user` is the user's own memory. */
export const readWorkspace = async (user: Memory): Promise<WorkspaceMap> => parseWorkspace(await documentText(user, DOCUMENTS.workspace));

/** Changes the map; creates it if it is missing. */
export function editWorkspace(user: Memory, edit: (source: string) => Result<string>, author: Author): Promise<Result<WrittenDocument>> {
  return writeDocument(user, {
    ...author,
    place: DOCUMENTS.workspace,
    edit: (text) => edit(text === undefined || text.trim() === '' ? EMPTY_WORKSPACE : text),
  });
}

export interface Registration {
  readonly key: string;
  readonly path: string;
  readonly description?: string;
  /** The path in the quick reference. */
  readonly index: string;
}

/** Adds a project unless the map names it already. */
export async function registerProject(
  user: Memory,
  { key, path, description = '', index }: Registration,
  author: Author,
): Promise<Result<{ readonly registered: boolean; readonly warnings: readonly string[] }>> {
  const listed = isListed(await documentText(user, DOCUMENTS.workspace), key, path);
  if (listed) return ok({ registered: false, warnings: [] });
  const written = await editWorkspace(
    user,
    (source) => ok(isListed(source, key, path) ? source : putProject(source, key, { path, description, status: 'active' }, index)),
    author,
  );
  return written.ok ? ok({ registered: written.value.status !== 'unchanged', warnings: written.value.warnings }) : written;
}

export interface ProjectNeighbours {
  /** Relationships that name the project. */
  readonly relationships: WorkspaceMap['relationships'];
  /** Initiatives that it takes part in. */
  readonly initiatives: WorkspaceMap['initiatives'];
  /** Keys of the projects that it is related to. */
  readonly neighbours: readonly string[];
}

export const isSameProject = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** The part of the map that concerns one project. */
export function neighbourhood(map: WorkspaceMap, key: string): ProjectNeighbours {
  const relationships = map.relationships.filter(({ from, to }) => isSameProject(from, key) || isSameProject(to, key));
  return {
    relationships,
    initiatives: map.initiatives.filter(({ projects }) => projects.some((project) => isSameProject(project, key))),
    neighbours: [...new Set(relationships.map(({ from, to }) => (isSameProject(from, key) ? to : from)))],
  };
}

/** A project's key, as the map spells it. */
export function mappedKey(map: WorkspaceMap, name: string): Result<string> {
  const known = map.projects.find(({ project, path }) => isSameProject(project, name) || path === name);
  return known
    ? ok(known.project)
    : refuse('NOT_FOUND', `${name} is not in the workspace.`, { missing: true, hint: `add it with holdfast workspace add ${name}` });
}
