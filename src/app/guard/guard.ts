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

/** Whether a file is in the memory; agents may read all of it without the client's permission prompt. */
export const isKept = (file: string | undefined, { roots }: GuardedFolders): boolean =>
  file !== undefined && roots.some((root) => within(root, file) !== undefined);

/** Whether an agent may write a file directly: not records, views and Holdfast's state; documents yes. */
export function guardWrite(file: string, { roots, staging, projects, state }: GuardedFolders): GuardVerdict {
  if (file === '') return { permission: 'none' };
  // The shared settings come with the code and can start nothing; those of its user can.
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
    if (relative.startsWith('subagent/')) return { permission: 'deny', reason: 'Holdfast writes reports itself: end with yours.' };
    return {
      permission: 'deny',
      reason:
        'Holdfast keeps these files itself. Save with the memory_save tool or `holdfast save`, change with `holdfast write --action update`, forget with `holdfast retire`.',
    };
  }
  if (state !== undefined && within(state, file) !== undefined)
    return { permission: 'deny', reason: 'These are the journal, versions and indexes of Holdfast. Only Holdfast writes them.' };
  return projects !== undefined && isRecordElsewhere(within(projects, file) ?? '')
    ? { permission: 'deny', reason: 'This is a record of another project: change it in that project, with `holdfast --project KEY`.' }
    : { permission: 'none' };
}

/** The client keeps its own transcripts and notes in the same folder. */
function isRecordElsewhere(path: string): boolean {
  const [, ...rest] = path.split('/');
  return rest.length > 1 && roleOf({ path: rest.join('/') }).role === 'record';
}
