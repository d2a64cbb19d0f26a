import type { FileRef } from '../../core/ports/store.ts';

/** Where the one-of-a-kind documents lie: those of a project in its memory, the others in the user's own. */
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

/** What was observed of the user and not confirmed yet: written like a document, but neither indexed nor told to an agent. */
export const PENDING: FileRef = { root: 'user', path: '_pending.md' };
