import type { FileRef, RootName } from '../../core/ports/store.ts';
import { categoryOfFolder, FOLDERS, type Category } from '../../core/record/category.ts';

/** Which files of a root are records, which documents, and which views that are rendered again. */

export const RECORD_FILE = /^(?![._]).+\.(md|json)$/;
const VIEWS = new Set(['_index.md', '_index-archive.md', 'index.md']);
const DOCUMENT_FOLDERS = ['', 'context', 'progress', 'memory'];
/** The home belongs to the client: only these files in it are the memory's. */
const HOME_DOCUMENTS = new Set(['MEMORY.md', 'workspace.md']);
const WATCHED_FOLDERS: readonly string[] = [...Object.values(FOLDERS), ...DOCUMENT_FOLDERS];

/** A `_memory/` that a project brought along has summaries under a name of its own, and holds no other records. */
const CONVERSATIONS = 'conversations';

/** The folders of a root that are watched for changes made by hand. */
export const watchedFolders = (root: RootName): readonly string[] => (root === 'home' ? [''] : root === 'folder' ? ['', CONVERSATIONS] : WATCHED_FOLDERS);

/** Where records of a category lie in a root. */
export const folderIn = (root: RootName, category: Category): string =>
  root === 'folder' && category === 'session_summary' ? CONVERSATIONS : FOLDERS[category];

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

/** Made again from everything by the next synthesis: it neither travels nor is merged. */
export const isDerived = (path: string): boolean => path === 'master.md';

/** Clients obey files of these names in whatever folder they read, and load what they import: none may come from another's machine. */
const INSTRUCTIONS = /(?:^|\/)(?:claude|claude\.local|agents|agents\.override|agent|gemini|qwen)\.md$/i;

/** The role of a file in a sync: records and documents travel. */
export const syncedRole = (place: FileRef): FileRole => (isDerived(place.path) || INSTRUCTIONS.test(place.path) ? { role: 'other' } : roleOf(place));

export const stemOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.(md|json)$/, '');
