import { readdirSync, statSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import type { TranscriptFile, TranscriptFinder } from '../../core/ports/episodes.ts';

const EXTENSIONS = new Set(['.jsonl', '.json']);
const SKIPPED_FOLDERS = new Set(['node_modules', '.git', 'rewind-file-snapshots']);

/** The files that paths name, oldest first: of a folder, all files in it that may be transcripts. */
export function findTranscripts(paths: readonly string[]): ReturnType<TranscriptFinder['at']> {
  const files = new Map<string, TranscriptFile>();
  const missing: string[] = [];
  for (const path of paths.map((relative) => resolve(relative))) {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) missing.push(path);
    else if (stat.isDirectory()) for (const file of filesUnder(path)) add(files, file);
    else add(files, path);
  }
  return { files: oldestFirst([...files.values()]), missing };
}

export const oldestFirst = (files: readonly TranscriptFile[]): readonly TranscriptFile[] =>
  files.toSorted((a, b) => a.mtimeMs - b.mtimeMs || (a.path < b.path ? -1 : 1));

function add(files: Map<string, TranscriptFile>, path: string): void {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isFile()) files.set(path, { path, size: stat.size, mtimeMs: stat.mtimeMs });
}

/** Files that mark a folder as Holdfast's own; other JSON files in it are records, not transcripts. */
const OWN_FILES = new Set(['memory-config.json', '_session.json']);

/** Files with metadata that clients write beside a transcript. */
const METADATA = /\.(?:meta|settings)\.json$/;

/** Links to folders are not followed: they may lead in circles. */
function* filesUnder(folder: string, isInOwn = false): Generator<string> {
  const entries = entriesOf(folder);
  const isOwn = isInOwn || entries.some(({ name }) => OWN_FILES.has(name));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!SKIPPED_FOLDERS.has(entry.name)) yield* filesUnder(path, isOwn);
    } else if (EXTENSIONS.has(extname(entry.name)) && !METADATA.test(entry.name) && !(isOwn && entry.name.endsWith('.json'))) yield path;
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (cause) {
    if (['EACCES', 'EPERM', 'ENOENT'].includes((cause as NodeJS.ErrnoException).code ?? '')) return [];
    throw cause;
  }
}

/** Whether the path is a regular file: a device or a pipe may have no end. */
export const isFile = (path: string): boolean => {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
};
