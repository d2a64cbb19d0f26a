import type { FileRef, RootName } from '../../core/ports/store.ts';
import { categoryOfFolder, FOLDERS, type Category } from '../../core/record/category.ts';
import type { Memory } from './memory.ts';

/** Which files of a root are records, which documents, and which views that are rendered again. */

export const RECORD_FILE = /^(?![._]).+\.(md|json)$/;
const VIEWS = new Set(['_index.md', '_index-archive.md', 'index.md']);
const DOCUMENT_FOLDERS = ['', 'context', 'progress', 'memory'];
/** The home belongs to the client: only these files in it are the memory's. */
const HOME_DOCUMENTS = new Set(['MEMORY.md', 'workspace.md']);
const WATCHED_FOLDERS: readonly string[] = [...Object.values(FOLDERS), ...DOCUMENT_FOLDERS];

/** The only records in a project's `_memory/` are summaries, in this folder. */
const SUMMARIES_FOLDER = 'conversations';

/** The folders of a root that are watched for manual edits. */
export const watchedFolders = (root: RootName): readonly string[] => (root === 'home' ? [''] : root === 'folder' ? ['', SUMMARIES_FOLDER] : WATCHED_FOLDERS);

/** Where records of a category lie in a root. */
export const folderIn = (root: RootName, category: Category): string =>
  root === 'folder' && category === 'session_summary' ? SUMMARIES_FOLDER : FOLDERS[category];

export type FileRole = { readonly role: 'record'; readonly category: Category } | { readonly role: 'document' } | { readonly role: 'other' };

export function roleOf({ root, path }: Pick<FileRef, 'path'> & Partial<FileRef>): FileRole {
  if (root === 'home') return { role: HOME_DOCUMENTS.has(path) ? 'document' : 'other' };
  if (root === 'folder') {
    if (/^conversations\/(?![._])[^/]+\.md$/.test(path)) return { role: 'record', category: 'session_summary' };
    return { role: /^[^/._][^/]*\.md$/.test(path) ? 'document' : 'other' };
  }
  const slash = path.lastIndexOf('/');
  const folder = slash < 0 ? '' : path.slice(0, slash);
  const name = path.slice(slash + 1);
  const category = categoryOfFolder(folder);
  if (category && RECORD_FILE.test(name)) return { role: 'record', category };
  if (DOCUMENT_FOLDERS.includes(folder) && name.endsWith('.md') && !/^[._]/.test(name) && !VIEWS.has(path)) return { role: 'document' };
  return { role: 'other' };
}

/** Whether the next synthesis makes a file again, so that it is neither synced nor merged. */
export const isDerived = (path: string): boolean => path === 'master.md';

/** Clients follow the instructions in files of these names in any folder, so none may come from another machine. */
const CLIENT_INSTRUCTIONS = /(?:^|\/)(?:claude|claude\.local|agents|agents\.override|agent|gemini|qwen)\.md$/i;

/** The role of a file in a sync: only records and documents are synced. */
export const syncedRole = (place: FileRef): FileRole => (isDerived(place.path) || CLIENT_INSTRUCTIONS.test(place.path) ? { role: 'other' } : roleOf(place));

export const stemOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.(md|json)$/, '');

/** So many of the newest shared records show the format of new ones. */
const RECORDS_CHECKED = 20;

/** Whether the project's shared records are JSON; then new ones get the same format and names. */
export function takesJsonRecords({ index, store }: Memory): boolean {
  if (!store.roots.includes('shared')) return false;
  const latest = index.recent({ kind: 'record', root: 'shared' }, RECORDS_CHECKED);
  return latest.length > 0 && latest.every(({ path }) => path.endsWith('.json'));
}
