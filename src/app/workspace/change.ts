import { utcSeconds } from '../../core/instant.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import {
  dropInitiative,
  dropProject,
  dropRelationship,
  parseWorkspace,
  putInitiative,
  putProject,
  putRelationship,
  type InitiativeChange,
} from '../../render/documents/workspace.ts';
import type { WrittenDocument } from '../documents/write.ts';
import type { Memory } from '../memory/memory.ts';
import type { Author } from '../write/transaction.ts';
import { editWorkspace, mappedKey, type Registration } from './workspace.ts';

const LONGEST = 200;

/** The text of a table cell: one line, not empty, not too long. */
function cellText(text: string, what: string): Result<string> {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line === '') return refuse('USAGE_ERROR', `${what} is empty.`);
  return line.length > LONGEST ? refuse('VALIDATION_ERROR', `${what} has ${line.length} characters, but may have ${LONGEST}.`) : ok(line);
}

/** The texts of several cells, or the first refusal. */
function cellTexts(fields: Readonly<Record<string, string | undefined>>): Result<Readonly<Record<string, string>>> {
  const clean: Record<string, string> = {};
  for (const [name, text] of Object.entries(fields)) {
    if (text === undefined) continue;
    const one = cellText(text, `the ${name}`);
    if (!one.ok) return one;
    clean[name] = one.value;
  }
  return ok(clean);
}

/** Adds a project to the map, or changes its row. */
export async function mapProject(
  user: Memory,
  request: Registration & { readonly status?: string | undefined },
  author: Author,
): Promise<Result<WrittenDocument>> {
  const { key, path, index, description, status } = request;
  const clean = cellTexts({ description, status });
  if (!clean.ok) return clean;
  const { value } = clean;
  return editWorkspace(
    user,
    (source) => {
      const known = parseWorkspace(source).projects.some(({ project }) => project.toLowerCase() === key.toLowerCase());
      return ok(putProject(source, key, { path, ...(known ? {} : { description: '', status: 'active' }), ...value }, index));
    },
    author,
  );
}

export const setProjectStatus = async (user: Memory, name: string, status: string, author: Author): Promise<Result<WrittenDocument>> =>
  editWorkspace(
    user,
    (source) => {
      const [key, clean] = [mappedKey(parseWorkspace(source), name), cellText(status, 'the status')];
      if (!key.ok) return key;
      if (!clean.ok) return clean;
      const line = parseWorkspace(source).reference.find((reference) => reference.startsWith(`- ${key.value} → `));
      const changed = putProject(source, key.value, { status: clean.value }, line?.slice(`- ${key.value} → `.length) ?? '');
      return ok(line === undefined ? changed.replace(`- ${key.value} → \n`, '') : changed);
    },
    author,
  );

/** Removes a project from the map; its memory stays. */
export const unmapProject = (user: Memory, name: string, author: Author): Promise<Result<WrittenDocument>> =>
  editWorkspace(
    user,
    (source) => {
      const key = mappedKey(parseWorkspace(source), name);
      return key.ok ? ok(dropProject(source, key.value)) : key;
    },
    author,
  );

export interface RelationRequest {
  readonly from: string;
  readonly relation: string;
  readonly to: string;
  readonly note?: string | undefined;
}

export async function relate(user: Memory, request: RelationRequest, author: Author): Promise<Result<WrittenDocument>> {
  let unknownProjects: readonly string[] = [];
  const written = await editWorkspace(
    user,
    (source) => {
      const clean = cellTexts({ from: request.from, relation: request.relation, to: request.to, note: request.note });
      if (!clean.ok) return clean;
      const { from = '', relation = '', to = '', note } = clean.value;
      if (from.toLowerCase() === to.toLowerCase()) return refuse('USAGE_ERROR', `${from} cannot be related to itself.`);
      unknownProjects = [from, to].filter((name) => !mappedKey(parseWorkspace(source), name).ok);
      return ok(putRelationship(source, { from, relation, to, note }));
    },
    author,
  );
  // Warn about unknown names: they may be misspelled or in the wrong order.
  const warnings = unknownProjects.map((name) => `${JSON.stringify(name)} is not on the map; a relationship is FROM RELATION TO`);
  return written.ok ? ok({ ...written.value, warnings: [...written.value.warnings, ...warnings] }) : written;
}

export const unrelate = (user: Memory, from: string, to: string, author: Author): Promise<Result<WrittenDocument>> =>
  editWorkspace(
    user,
    (source) => {
      const next = dropRelationship(source, from, to);
      return next === source
        ? refuse('NOT_FOUND', `The workspace has no relationship from ${from} to ${to}.`, { missing: true, hint: 'holdfast workspace lists them' })
        : ok(next);
    },
    author,
  );

export function trackInitiative(user: Memory, request: Omit<InitiativeChange, 'updated'>, author: Author): Promise<Result<WrittenDocument>> {
  return editWorkspace(
    user,
    (source) => {
      const clean = cellTexts({ initiative: request.initiative, status: request.status, note: request.note });
      if (!clean.ok) return clean;
      const { initiative = '', status, note } = clean.value;
      const known = parseWorkspace(source).initiatives.some((one) => one.initiative.toLowerCase() === initiative.toLowerCase());
      return ok(
        putInitiative(source, {
          initiative,
          note,
          projects: request.projects,
          status: status ?? (known ? undefined : 'planned'),
          updated: utcSeconds(user.now()),
        }),
      );
    },
    author,
  );
}

export const endInitiative = (user: Memory, initiative: string, author: Author): Promise<Result<WrittenDocument>> =>
  editWorkspace(
    user,
    (source) => {
      const next = dropInitiative(source, initiative);
      return next === source
        ? refuse('NOT_FOUND', `The workspace has no initiative ${initiative}.`, { missing: true, hint: 'holdfast workspace lists them' })
        : ok(next);
    },
    author,
  );
