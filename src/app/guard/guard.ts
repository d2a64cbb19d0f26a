import { SHELL_MARKS } from '../../core/trust/agent-shell.ts';
import { roleOf } from '../memory/layout.ts';

export type Permission = 'deny' | 'allow' | 'none';

export interface GuardVerdict {
  readonly permission: Permission;
  readonly reason?: string;
}

/** Real paths, links resolved. */
export interface GuardedFolders {
  /** Every root of the memory. */
  readonly roots: readonly string[];
  readonly staging?: string;
  /** The folder for drafts. */
  readonly drafts?: string;
  /** The folder that holds every project's memory. */
  readonly projects?: string;
  /** Holdfast's own state: journals, versions, indexes, notes. */
  readonly state?: string;
  /** Holdfast's own programs. */
  readonly programs?: string;
}

const STAGED = /^(intent|input|draft|context|new-info|triage-data|candidate|last-save-result)([-.].*)?\.(json|txt)$/;
/** Files that an agent's drafters write, in their session's folder. */
const DRAFTED = /^(?:[\w-]+\/)?\.memory-(?:draft|verdict)-[\w-]+\.json$/;
const CONFIG = 'memory-config.json';

const within = (folder: string, file: string): string | undefined =>
  file === folder ? '' : file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : undefined;

/** Whether a file is in the memory that is open. */
export const isMemoryFile = (file: string | undefined, { roots }: GuardedFolders): boolean =>
  file !== undefined && roots.some((root) => within(root, file) !== undefined);

/** Whether an agent may write a file directly: not records, views and Holdfast's state; documents yes. */
export function guardWrite(file: string, { roots, staging, projects, state }: GuardedFolders): GuardVerdict {
  if (file === '') return { permission: 'none' };
  // Shared settings come with the code and cannot start a program; settings of the user can.
  if (projects !== undefined && new RegExp(`^[^/]+/${CONFIG.replace('.', '\\.')}$`).test(within(projects, file) ?? ''))
    return { permission: 'deny', reason: 'These are settings of the user: change them with `holdfast config set`.' };
  if (staging !== undefined) {
    const staged = within(staging, file);
    if (staged !== undefined && (STAGED.test(staged) || DRAFTED.test(staged))) return { permission: 'allow' };
    if (staged !== undefined) return { permission: 'none' };
  }
  for (const root of roots) {
    const relative = within(root, file);
    if (relative === undefined) continue;
    if (relative === CONFIG || (relative !== '' && roleOf({ path: relative }).role === 'document')) return { permission: 'none' };
    if (relative.startsWith('subagent/'))
      return {
        permission: 'deny',
        reason: 'Holdfast writes reports itself: call memory_save with {"file": this path, "text": the report}, or end with the report.',
      };
    return {
      permission: 'deny',
      reason:
        'Holdfast keeps these files itself. Save with the memory_save tool or `holdfast save`, change with `holdfast write --action update`, forget with `holdfast retire`.',
    };
  }
  if (state !== undefined && within(state, file) !== undefined)
    return { permission: 'deny', reason: 'These are the journal, versions and indexes of Holdfast. Only Holdfast writes them.' };
  const elsewhere = otherMemory(file, projects);
  return elsewhere !== undefined && (VIEW.test(elsewhere) || roleOf({ path: elsewhere }).role === 'record')
    ? { permission: 'deny', reason: 'This is the memory of another project: change it in that project, with `holdfast --project KEY`.' }
    : { permission: 'none' };
}

const VIEW = /^(?:_index\.md|_index-archive\.md|index\.md|_session\.json)$/;
/** The client keeps its own transcripts and notes in folders named after a path. */
const PROJECT_FOLDER = /^(?!-)[^/]+\/(.+)$/;
const SHARED = /\/\.claude\/memory\/(.+)$/;

/** A file's path inside the memory of any project. */
const otherMemory = (file: string, projects: string | undefined): string | undefined =>
  (projects === undefined ? undefined : PROJECT_FOLDER.exec(within(projects, file) ?? '')?.[1]) ?? SHARED.exec(file)?.[1];

const HOME_FILES = /^(?:workspace|MEMORY)\.md$/;

/** Whether a file is a memory's, this project's or another's, or in the home of all: agents may read these without the client's permission prompt. */
export function isReadable(file: string | undefined, folders: GuardedFolders): boolean {
  if (file === undefined || isMemoryFile(file, folders)) return file !== undefined;
  const { projects } = folders;
  if (projects === undefined) return false;
  if (HOME_FILES.test(within(projects.slice(0, projects.lastIndexOf('/')), file) ?? '')) return true;
  const path = PROJECT_FOLDER.exec(within(projects, file) ?? '')?.[1];
  return path !== undefined && (VIEW.test(path) || roleOf({ path }).role !== 'other');
}

const RUNS_HOLDFAST = /\bholdfast\b|\bcli\.js\b|\b(?:slash|hook)\.js\b/;
const HIDES = new RegExp(
  `\\benv\\s+(?:-\\S+\\s+)*(?:-i\\b|--ignore-environment|-\\B)|(?:-u\\s*|--unset[= ]|\\bunset\\s+(?:-v\\s+)?(?:\\S+\\s+)*|\\b)(?:${SHELL_MARKS.join('|')})\\b`,
);

/** Whether a shell command hides from Holdfast that an agent runs it. */
export const hidesAgent = (command: string): boolean => RUNS_HOLDFAST.test(command) && HIDES.test(command);
