import type { FileRef } from '../../core/ports/store.ts';
import { utcSeconds } from '../../core/instant.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { roleOf } from '../memory/layout.ts';
import type { Memory } from '../memory/memory.ts';
import { readRedacted } from '../read/redacted.ts';
import { hasConflictMarkers, markerLine } from '../../core/record/conflict-markers.ts';

/** Documents with a fixed place: those of a project in its memory, the others in the user's own. */
export const DOCUMENTS = {
  task: { root: 'private', path: 'context/current-task.md' },
  blockers: { root: 'private', path: 'context/blockers.md' },
  active: { root: 'private', path: 'progress/active.md' },
  completed: { root: 'private', path: 'progress/completed.md' },
  project: { root: 'private', path: 'project.md' },
  memory: { root: 'private', path: 'memory/MEMORY.md' },
  master: { root: 'private', path: 'master.md' },
  globalMemory: { root: 'home', path: 'MEMORY.md' },
  workspace: { root: 'home', path: 'workspace.md' },
} as const satisfies Readonly<Record<string, FileRef>>;

/** Observations about the user that are not confirmed yet; stored like a document, but neither indexed nor shown to agents. */
export const PENDING: FileRef = { root: 'user', path: '_pending.md' };

export interface Document {
  readonly place: FileRef;
  /** The absolute path. */
  readonly file: string;
  readonly text: string;
  /** MD5 of the file, for `DocumentEdit.hash`. */
  readonly hash: string;
  readonly updatedAt: string;
}

/** Reads a document from its file; `NOT_FOUND` if there is none. */
export async function readDocument(memory: Memory, place: FileRef): Promise<Result<Document>> {
  const allowed = checkDocument(memory, place);
  if (!allowed.ok) return allowed;
  const stored = await readRedacted(memory, place);
  if (!stored) return refuse('NOT_FOUND', `${place.path} does not exist.`, { missing: true });
  const { text, hash, mtimeMs } = stored;
  const settled = checkMerged(place, text);
  if (!settled.ok) return settled;
  return ok({ place: { root: place.root, path: place.path }, file: memory.store.absolute(place), text, hash, updatedAt: utcSeconds(mtimeMs) });
}

/** The text of a document; empty if there is none. */
export async function documentText(memory: Memory, place: FileRef): Promise<string> {
  const document = await readDocument(memory, place);
  return document.ok ? document.value.text : '';
}

/** Refuses a place that is not a document's, or whose root this memory does not have. */
export function checkDocument(memory: Memory, place: FileRef): Result<true> {
  if (!memory.store.roots.includes(place.root)) return refuse('USAGE_ERROR', `This memory has no ${place.root} root.`);
  if (roleOf(place).role === 'document' || (place.root === PENDING.root && place.path === PENDING.path)) return ok(true);
  return refuse('PATH_ERROR', `${place.path} is not a document`, {
    hint: 'documents are Markdown files at the top of a root, or in context/, progress/ and memory/',
  });
}

/** Refuses a document with conflict markers. */
export function checkMerged({ path }: FileRef, text: string): Result<true> {
  if (!hasConflictMarkers(text)) return ok(true);
  return refuse('READ_ERROR', `${path} has git conflict markers in line ${markerLine(text)}`, {
    hint: 'holdfast merge shows both versions and keeps the one you choose',
  });
}
