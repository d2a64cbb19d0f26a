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

const STAGED_FILE = /^(intent|input|draft|context|new-info|triage-data|candidate|last-save-result)([-.].*)?\.(json|txt)$/;
/** Files that drafters write into the folder of their session. */
const DRAFT_FILE = /^(?:[\w-]+\/)?\.memory-(?:draft|verdict)-[\w-]+\.json$/;
const CONFIG = 'memory-config.json';

const relativePath = (folder: string, file: string): string | undefined =>
  file === folder ? '' : file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : undefined;

/** Whether a file is in a root of the open memory. */
export const isMemoryFile = (file: string | undefined, { roots }: GuardedFolders): boolean =>
  file !== undefined && roots.some((root) => relativePath(root, file) !== undefined);

/** Whether an agent may write a file directly: documents yes; records, views and Holdfast's state no. */
export function guardWrite(file: string, { roots, staging, projects, state }: GuardedFolders): GuardVerdict {
  if (file === '') return { permission: 'none' };
  // Shared settings come with the code and cannot start a program; settings of the user can.
  if (projects !== undefined && new RegExp(`^[^/]+/${CONFIG.replace('.', '\\.')}$`).test(relativePath(projects, file) ?? ''))
    return { permission: 'deny', reason: 'These are settings of the user: change them with `holdfast config set`.' };
  if (staging !== undefined) {
    const staged = relativePath(staging, file);
    if (staged !== undefined && (STAGED_FILE.test(staged) || DRAFT_FILE.test(staged))) return { permission: 'allow' };
    if (staged !== undefined) return { permission: 'none' };
  }
  for (const root of roots) {
    const relative = relativePath(root, file);
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
  if (state !== undefined && relativePath(state, file) !== undefined)
    return { permission: 'deny', reason: 'These are the journal, versions and indexes of Holdfast. Only Holdfast writes them.' };
  const otherPath = pathInOtherMemory(file, projects);
  return otherPath !== undefined && (VIEW.test(otherPath) || roleOf({ path: otherPath }).role === 'record')
    ? { permission: 'deny', reason: 'This is the memory of another project: change it in that project, with `holdfast --project KEY`.' }
    : { permission: 'none' };
}

const VIEW = /^(?:_index\.md|_index-archive\.md|index\.md|_session\.json)$/;
/** A file in the folder of a project; folders whose name begins with a hyphen are the client's. */
const PROJECT_FOLDER = /^(?!-)[^/]+\/(.+)$/;
const SHARED_ROOT_FILE = /\/\.claude\/memory\/(.+)$/;

/** A file's path inside the memory of any project. */
const pathInOtherMemory = (file: string, projects: string | undefined): string | undefined =>
  (projects === undefined ? undefined : PROJECT_FOLDER.exec(relativePath(projects, file) ?? '')?.[1]) ?? SHARED_ROOT_FILE.exec(file)?.[1];

const HOME_FILES = /^(?:workspace|MEMORY)\.md$/;

/** Whether agents may read a file without the client's permission prompt: a file of any memory, or a memory file of the home. */
export function isReadable(file: string | undefined, folders: GuardedFolders): boolean {
  if (file === undefined || isMemoryFile(file, folders)) return file !== undefined;
  const { projects } = folders;
  if (projects === undefined) return false;
  if (HOME_FILES.test(relativePath(projects.slice(0, projects.lastIndexOf('/')), file) ?? '')) return true;
  const path = PROJECT_FOLDER.exec(relativePath(projects, file) ?? '')?.[1];
  return path !== undefined && (VIEW.test(path) || roleOf({ path }).role !== 'other');
}

const RUNS_HOLDFAST = /\bholdfast\b|\bcli\.js\b|\b(?:slash|hook)\.js\b/;
const UNSETS_SHELL_MARKS = new RegExp(
  `\\benv\\s+(?:-\\S+\\s+)*(?:-i\\b|--ignore-environment|-\\B)|(?:-u\\s*|--unset[= ]|\\bunset\\s+(?:-v\\s+)?(?:\\S+\\s+)*|\\b)(?:${SHELL_MARKS.join('|')})\\b`,
);

/** Whether a shell command hides from Holdfast that an agent runs it. */
export const hidesAgent = (command: string): boolean => RUNS_HOLDFAST.test(command) && UNSETS_SHELL_MARKS.test(command);
