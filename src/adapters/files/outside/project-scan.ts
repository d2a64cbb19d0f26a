import { statSync } from 'node:fs';
import { FILE_BYTES } from '../../../core/limits.ts';
import { textOutside } from './read.ts';
import { filesOutside } from './walk.ts';

const DOC_FOLDERS = ['_docs', 'docs'];
const TOP_DOCS = ['README.md', 'ARCHITECTURE.md'];
const MOST_DOCS = 40;
const MOST_FILES = 20_000;
const SKIPPED = new Set(['node_modules', 'dist', 'build', 'target', 'vendor', 'coverage', '__pycache__']);

export interface ScannedDocument {
  readonly path: string;
  readonly text: string;
  readonly mtimeMs: number;
}

export interface ProjectScan {
  readonly docs: readonly ScannedDocument[];
  /** Paths from the top of the checkout, hidden files and build output left out. */
  readonly files: readonly string[];
  readonly introductions: readonly { readonly file: string; readonly text: string }[];
}

/** The documents and files of a checkout; undefined if this machine does not have the folder. */
export function scanProject(worktree: string, selfDescriptions: readonly string[]): ProjectScan | undefined {
  if (statSync(worktree, { throwIfNoEntry: false })?.isDirectory() !== true) return undefined;
  return {
    docs: scanDocuments(worktree),
    files: [...filesOutside(worktree, '', { enters, most: MOST_FILES })].filter(isVisible),
    introductions: readManifests(worktree, selfDescriptions),
  };
}

/** Those of the named files that a project has at its top. */
export const readManifests = (folder: string, names: readonly string[]): readonly { readonly file: string; readonly text: string }[] =>
  names.flatMap((file) => {
    const manifest = textOutside(folder, file, FILE_BYTES.manifest);
    return manifest ? [{ file, text: manifest.text }] : [];
  });

/** Hidden folders and build output are skipped. */
const enters = (name: string): boolean => !name.startsWith('.') && !SKIPPED.has(name);

const isVisible = (path: string): boolean => !path.split('/').some((name) => name.startsWith('.'));

function scanDocuments(worktree: string): ScannedDocument[] {
  const paths = [...TOP_DOCS, ...DOC_FOLDERS.flatMap((folder) => [...filesOutside(worktree, folder, { enters, most: MOST_FILES })])];
  const docs: ScannedDocument[] = [];
  for (const path of paths) {
    if (!isVisible(path) || !/\.(md|mdx|txt|rst)$/i.test(path)) continue;
    const document = textOutside(worktree, path, FILE_BYTES.document);
    if (document && docs.push({ path, ...document }) === MOST_DOCS) break;
  }
  return docs;
}
