import { statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { readOutside, textOutside } from '../../adapters/files/outside/read.ts';
import { filesOutside } from '../../adapters/files/outside/walk.ts';
import { writeOutside } from '../../adapters/files/outside/write.ts';
import { readCommits } from '../../adapters/git/history.ts';
import { repositoryHolding } from '../../adapters/git/repository.ts';
import { withImport, withoutImport } from '../../app/synthesis/import-line.ts';
import type { ProjectDoc, CheckoutState } from '../../app/synthesis/gather.ts';
import { FILE_BYTES } from '../../core/limits.ts';
import { ok, refuse, type Result } from '../../core/result.ts';

const DOC_FOLDERS = ['_docs', 'docs'];
const TOP_DOCS = ['README.md', 'ARCHITECTURE.md'];
const MOST_DOCS = 40;
const MOST_FILES = 20_000;
const RECENT_COMMITS = 50;
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

/** The project as it is now: its documents, its last commits, what its code is made of. */
export async function checkoutState(worktree: string): Promise<CheckoutState> {
  if (!isFolder(worktree)) return { docs: [], commits: [], patterns: [], absent: worktree };
  const repository = repositoryHolding(worktree);
  const commits = repository ? await readCommits(repository, { limit: RECENT_COMMITS }, process.env) : undefined;
  return { docs: docsIn(worktree), commits: commits?.ok ? commits.value.filter(({ merge }) => !merge) : [], patterns: patternsIn(worktree) };
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** Without what hides and what is built. */
const enters = (name: string): boolean => !name.startsWith('.') && !SKIPPED.has(name);

const isShown = (path: string): boolean => !path.split('/').some((name) => name.startsWith('.'));

function docsIn(worktree: string): ProjectDoc[] {
  const paths = [...TOP_DOCS, ...DOC_FOLDERS.flatMap((folder) => [...filesOutside(worktree, folder, { enters, most: MOST_FILES })])];
  const docs: ProjectDoc[] = [];
  for (const path of paths) {
    if (!isShown(path) || !/\.(md|mdx|txt|rst)$/i.test(path)) continue;
    const found = textOutside(worktree, path, FILE_BYTES.document);
    if (found && docs.push({ path, ...found }) === MOST_DOCS) break;
  }
  return docs;
}

function patternsIn(worktree: string): string[] {
  const counts = new Map<string, number>();
  for (const path of filesOutside(worktree, '', { enters, most: MOST_FILES })) {
    const language = isShown(path) ? LANGUAGES[extname(path)] : undefined;
    if (language !== undefined) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  const languages = [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 3)
    .map(([name, count]) => `${count} ${name} ${count === 1 ? 'file' : 'files'}`);
  return [...languages, ...manifestIn(worktree)];
}

/** What package.json says of how the project is worked with. */
function manifestIn(worktree: string): string[] {
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

const INSTRUCTIONS = 'CLAUDE.md';

export interface ImportChange {
  readonly file: string;
  readonly changed: boolean;
}

/** Sets up or takes away the line of CLAUDE.md that loads the master; says whether anything changed. */
export function changeImport(worktree: string, target: string, wish: 'add' | 'remove'): Result<ImportChange> {
  const read = readOutside(worktree, INSTRUCTIONS, FILE_BYTES.document);
  if (!read.ok && read.error.missing !== true) return read;
  const bytes = read.ok ? read.value.bytes : Buffer.alloc(0);
  const text = bytes.toString('utf8');
  const file = join(worktree, INSTRUCTIONS);
  if (!bytes.equals(Buffer.from(text))) return refuse('INPUT_ERROR', `${file} is not UTF-8`, { hint: 'save it as UTF-8; nothing was changed' });
  const next = wish === 'add' ? withImport(text, target) : withoutImport(text, target);
  if (next !== text) {
    const written = writeOutside(worktree, INSTRUCTIONS, next);
    if (!written.ok) return written;
  }
  return ok({ file, changed: next !== text });
}
