import { statSync } from 'node:fs';
import { extname } from 'node:path';
import { FILE_BYTES } from '../../../core/limits.ts';
import { textOutside } from './read.ts';
import { filesOutside } from './walk.ts';

const DOC_FOLDERS = ['_docs', 'docs'];
const TOP_DOCS = ['README.md', 'ARCHITECTURE.md'];
const MOST_DOCS = 40;
const MOST_FILES = 20_000;
const SKIPPED = new Set(['node_modules', 'dist', 'build', 'target', 'vendor', 'coverage', '__pycache__']);

const LANGUAGES: Readonly<Record<string, string>> = {
  '.ts': 'TypeScript',
  '.tsx': 'TypeScript',
  '.js': 'JavaScript',
  '.jsx': 'JavaScript',
  '.mjs': 'JavaScript',
  '.py': 'Python',
  '.rs': 'Rust',
  '.go': 'Go',
  '.java': 'Java',
  '.kt': 'Kotlin',
  '.rb': 'Ruby',
  '.php': 'PHP',
  '.cs': 'C#',
  '.c': 'C',
  '.h': 'C',
  '.cpp': 'C++',
  '.swift': 'Swift',
  '.sql': 'SQL',
  '.sh': 'shell',
};

export interface ScannedDocument {
  readonly path: string;
  readonly text: string;
  readonly mtimeMs: number;
}

export interface ProjectScan {
  readonly docs: readonly ScannedDocument[];
  /** Languages, scripts and test runners, in a few words each. */
  readonly patterns: readonly string[];
}

/** The documents of a checkout and what its code is made of; undefined if this machine does not have the folder. */
export function scanProject(worktree: string): ProjectScan | undefined {
  const isFolder = statSync(worktree, { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder ? { docs: scanDocuments(worktree), patterns: scanCode(worktree) } : undefined;
}

/** Those of the named files that a project has at its top. */
export const readManifests = (folder: string, names: readonly string[]): readonly { readonly file: string; readonly text: string }[] =>
  names.flatMap((file) => {
    const found = textOutside(folder, file, FILE_BYTES.manifest);
    return found ? [{ file, text: found.text }] : [];
  });

/** Hidden folders and build output are skipped. */
const enters = (name: string): boolean => !name.startsWith('.') && !SKIPPED.has(name);

const isVisible = (path: string): boolean => !path.split('/').some((name) => name.startsWith('.'));

function scanDocuments(worktree: string): ScannedDocument[] {
  const paths = [...TOP_DOCS, ...DOC_FOLDERS.flatMap((folder) => [...filesOutside(worktree, folder, { enters, most: MOST_FILES })])];
  const docs: ScannedDocument[] = [];
  for (const path of paths) {
    if (!isVisible(path) || !/\.(md|mdx|txt|rst)$/i.test(path)) continue;
    const found = textOutside(worktree, path, FILE_BYTES.document);
    if (found && docs.push({ path, ...found }) === MOST_DOCS) break;
  }
  return docs;
}

function scanCode(worktree: string): string[] {
  const counts = new Map<string, number>();
  for (const path of filesOutside(worktree, '', { enters, most: MOST_FILES })) {
    const language = isVisible(path) ? LANGUAGES[extname(path)] : undefined;
    if (language !== undefined) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  const languages = [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 3)
    .map(([name, count]) => `${count} ${name} ${count === 1 ? 'file' : 'files'}`);
  return [...languages, ...scanPackage(worktree)];
}

/** The scripts and test runners that package.json names. */
function scanPackage(worktree: string): string[] {
  try {
    const manifest = JSON.parse(textOutside(worktree, 'package.json', FILE_BYTES.manifest)?.text ?? '{}') as Record<
      string,
      Record<string, unknown> | undefined
    >;
    const scripts = Object.keys(manifest['scripts'] ?? {}).slice(0, 8);
    const runners = ['vitest', 'jest', 'mocha', 'playwright'].filter((name) => manifest['devDependencies']?.[name] !== undefined);
    return [...(scripts.length > 0 ? [`scripts ${scripts.join(', ')}`] : []), ...(runners.length > 0 ? [`tests with ${runners.join(', ')}`] : [])];
  } catch {
    return [];
  }
}
