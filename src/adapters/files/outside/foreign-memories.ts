import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { FILE_BYTES } from '../../../core/limits.ts';
import type { ForeignDatabase, ForeignFolder, ForeignMemories, SourceFile } from '../../../core/ports/foreign-memories.ts';
import { ok, refuse } from '../../../core/result.ts';
import { placesIn, SHARED_PATH, sharedRootIn } from '../home-layout.ts';
import { ownFile } from './own.ts';
import { readOutside, textOutside } from './read.ts';
import { filesOutside, isPlainFolder } from './walk.ts';

type Row = Record<string, unknown>;

export interface ForeignRequest {
  readonly home: string;
  readonly userHome: string;
  readonly cwd: string;
  /** Where claude-mem keeps its database, if the user moved it. */
  readonly claudeMemFolder?: string | undefined;
  readonly openDatabase: (file: string) => { prepare(sql: string): { all(): Row[] }; close(): void };
}

const CLAUDE_MEM_TABLES = ['sdk_sessions', 'observations', 'session_summaries', 'user_prompts', 'directives'] as const;

/** A path named by the user, or a folder in the home, may be a link; no link is followed below it or in a project. */
const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** Finds and reads the memories of other tools on this machine. */
export function foreignMemories({ home, userHome, cwd, claudeMemFolder, openDatabase }: ForeignRequest): ForeignMemories {
  const databaseAt = (place: string): ForeignDatabase => ({ place, tables: readTables(place, openDatabase) });
  return {
    near: ({ hash, worktree, privateRoot }) => {
      const byHash = placesIn(home).privateRoot(hash);
      const auto = join(home, 'projects', worktree.replaceAll(/[^A-Za-z0-9]/g, '-'), 'memory');
      const database = join(claudeMemFolder || join(userHome, '.claude-mem'), 'claude-mem.db');
      const notes = join(userHome, 'basic-memory');
      return {
        shared: { place: sharedRootIn(worktree), files: readTexts(worktree, { path: SHARED_PATH }) },
        privateRoot: folderAt(privateRoot),
        ...(byHash !== privateRoot && isFolder(byHash) && { hashFolder: folderAt(byHash) }),
        ...(isPlainFolder(worktree, '_memory') && {
          memoryFolder: { place: join(worktree, '_memory'), files: readTexts(worktree, { path: '_memory' }) },
        }),
        ...(isFolder(auto) && { autoMemory: { place: auto, files: readTexts(auto, { deep: false }) } }),
        ...(isFile(database) && { claudeMem: databaseAt(database) }),
        ...(isFolder(notes) && { basicMemory: notes }),
      };
    },
    named: (path) => {
      const place = resolve(cwd, path);
      if (!existsSync(place)) return refuse('NOT_FOUND', `${place} does not exist`, { missing: true });
      if (isFolder(place)) return ok(folderAt(place));
      if (!isFile(place)) return ok({ place });
      if (/\.(db|sqlite3?)$/.test(place)) return ok(databaseAt(place));
      const location = ownFile(place);
      const read = location.ok ? readOutside(location.value.folder, location.value.path, FILE_BYTES.foreign) : location;
      if (!read.ok) return read;
      return ok({ place, file: { path: basename(place), text: read.value.bytes.toString('utf8'), mtimeMs: read.value.mtimeMs } });
    },
  };
}

const folderAt = (place: string): ForeignFolder => ({ place, files: readTexts(place) });

/** Every text file of a folder, without links and hidden folders. */
function readTexts(folder: string, { path = '', deep = true } = {}): SourceFile[] {
  const start = path === '' ? '' : `${path}/`;
  const files: SourceFile[] = [];
  let remaining: number = FILE_BYTES.foreignAll;
  for (const file of filesOutside(folder, path, { enters: (name) => deep && !name.startsWith('.') })) {
    if (!/\.(md|json|jsonl|bak)$/.test(file)) continue;
    const content = textOutside(folder, file, Math.min(remaining, FILE_BYTES.foreign));
    if (!content) continue;
    remaining -= content.text.length;
    files.push({ path: file.slice(start.length), ...content });
  }
  return files;
}

/** Reads a copy, because opening another tool's database writes files beside it. */
function readTables(file: string, openDatabase: ForeignRequest['openDatabase']): ForeignDatabase['tables'] {
  const scratch = mkdtempSync(join(process.getBuiltinModule('node:os').tmpdir(), 'holdfast-migrate-'));
  try {
    const copy = join(scratch, 'copy.db');
    for (const suffix of ['', '-wal']) if (isFile(file + suffix)) copyFileSync(file + suffix, copy + suffix);
    const database = openDatabase(copy);
    try {
      const existing = new Set(
        database
          .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
          .all()
          .map(({ name }) => String(name)),
      );
      return Object.fromEntries(
        CLAUDE_MEM_TABLES.filter((table) => existing.has(table)).map((table) => [table, database.prepare(`SELECT * FROM ${table}`).all()]),
      );
    } finally {
      database.close();
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
