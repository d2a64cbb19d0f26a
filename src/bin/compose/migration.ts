import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { FileJournal } from '../../adapters/files/journal.ts';
import { ownFile } from '../../adapters/files/outside/own.ts';
import { readOutside, textOutside } from '../../adapters/files/outside/read.ts';
import { filesOutside, isPlainFolder } from '../../adapters/files/outside/walk.ts';
import { openDatabase } from '../../adapters/sqlite/binding.ts';
import { isBasicMemory, readBasicMemory } from '../../app/migrate/sources/basic-memory.ts';
import { readAutoMemory } from '../../app/migrate/sources/auto-memory.ts';
import { readClaudeMem, type ClaudeMemTables } from '../../app/migrate/sources/claude-mem.ts';
import { readInfiniteMemory } from '../../app/migrate/sources/infinite-memory.ts';
import { isJsonStore, readJsonStore } from '../../app/migrate/sources/json-store.ts';
import { isKnowledgeGraph, readKnowledgeGraph } from '../../app/migrate/sources/knowledge-graph.ts';
import { readMemoryFolder } from '../../app/migrate/sources/memory-folder.ts';
import { readMemoryModule } from '../../app/migrate/sources/memory-module.ts';
import type { SourceContents, MigrationSource, SourceFile, SourceKind } from '../../app/migrate/source.ts';
import { FILE_BYTES } from '../../core/limits.ts';
import { FOLDERS } from '../../core/record/category.ts';
import { projectKey } from '../../core/project/identity.ts';
import { refuse, ok, type Result } from '../../core/result.ts';
import { placesIn, SHARED_PATH, sharedRootIn } from '../../adapters/files/home-layout.ts';
import { OLD_LAYOUT_MARK } from '../wiring/locate.ts';
import type { ProjectMemory } from './project.ts';
import { md5 } from '../wiring/environment.ts';

type Project = ProjectMemory['project'];

/** Where other tools keep what they know. */
export interface MigrationContext {
  readonly home: string;
  readonly userHome: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly project: Project;
}

export interface FoundSources {
  readonly sources: readonly MigrationSource[];
  /** Found, but about more than this project: taken over only when named. */
  readonly hints: readonly string[];
}

const TABLES = ['sdk_sessions', 'observations', 'session_summaries', 'user_prompts', 'directives'] as const;
const RECORD_FOLDERS = Object.values(FOLDERS);

/** Every text of a folder; links are not followed, and hidden folders are the tool's own business. */
function textsIn(folder: string, { path = '', deep = true } = {}): SourceFile[] {
  const start = path === '' ? '' : `${path}/`;
  const files: SourceFile[] = [];
  let room: number = FILE_BYTES.foreignAll;
  for (const file of filesOutside(folder, path, { enters: (name) => deep && !name.startsWith('.') })) {
    if (!/\.(md|json|jsonl|bak)$/.test(file)) continue;
    const found = textOutside(folder, file, Math.min(room, FILE_BYTES.foreign));
    if (!found) continue;
    room -= found.text.length;
    files.push({ path: file.slice(start.length), ...found });
  }
  return files;
}

/** Whoever names a path, or keeps a folder in the home, may have linked it; below it, and in a project, no link is followed. */
const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

const source = (kind: SourceKind, place: string, read: SourceContents): MigrationSource => ({ kind, place, ...read });
const standing = (kind: SourceKind, place: string, inPlace: string): MigrationSource => ({ kind, place, inPlace, pieces: [], left: [] });

/** Everything of this project that another layout holds. */
export async function findSources(around: MigrationContext): Promise<FoundSources> {
  const { home, userHome, env, project } = around;
  const found: MigrationSource[] = [];
  const inProject = sharedRootIn(project.worktree);
  const shared = textsIn(project.worktree, { path: SHARED_PATH });
  if (shared.some(({ path }) => path === OLD_LAYOUT_MARK)) found.push(source('infinite-memory-1.2', inProject, readInfiniteMemory(shared, project)));
  else if (jsonRecords(shared) > 0) found.push(standing('json-store', inProject, `${jsonRecords(shared)} records are read as they stand, as the shared root`));
  const plain = await plainRecords(project.privateRoot, join(placesIn(home).state(project.key), 'journal'));
  if (plain > 0) found.push(standing('infinite-memory-1.3', project.privateRoot, `${plain} files are read as they stand, as the private root`));
  const byHash = placesIn(home).privateRoot(project.hash);
  if (byHash !== project.privateRoot && isFolder(byHash)) found.push(source('memory-module', byHash, readMemoryModule(textsIn(byHash))));
  const folder = join(project.worktree, '_memory');
  if (isPlainFolder(project.worktree, '_memory')) found.push(source('memory-folder', folder, readMemoryFolder(textsIn(project.worktree, { path: '_memory' }))));
  const auto = join(home, 'projects', project.worktree.replaceAll(/[^A-Za-z0-9]/g, '-'), 'memory');
  if (isFolder(auto)) found.push(source('auto-memory', auto, readAutoMemory(textsIn(auto, { deep: false }))));
  const database = join(env['CLAUDE_MEM_DATA_DIR'] || join(userHome, '.claude-mem'), 'claude-mem.db');
  if (isFile(database)) found.push(claudeMem(database, project));
  const notes = join(userHome, 'basic-memory');
  const hints = isFolder(notes) ? [`notes of basic-memory lie in ${notes}: holdfast migrate ${notes} takes them into this project`] : [];
  return { sources: found, hints };
}

/** What a path that somebody named holds. */
export function namedSource(path: string, cwd: string, project: Project): Result<MigrationSource> {
  const place = resolve(cwd, path);
  if (!existsSync(place)) return refuse('NOT_FOUND', `there is no ${place}`, { missing: true });
  if (isFile(place)) {
    if (/\.(db|sqlite3?)$/.test(place)) return isClaudeMem(place) ? ok(claudeMem(place, project)) : unknown(place);
    const named = ownFile(place);
    const read = named.ok ? readOutside(named.value.folder, named.value.path, FILE_BYTES.foreign) : named;
    if (!read.ok) return read;
    const text = read.value.bytes.toString('utf8');
    if (!isKnowledgeGraph(text)) return unknown(place);
    return ok(source('knowledge-graph', place, readKnowledgeGraph({ path: basename(place), text, mtimeMs: read.value.mtimeMs })));
  }
  if (!isFolder(place)) return unknown(place);
  const files = textsIn(place);
  const has = (pattern: RegExp): boolean => files.some((file) => pattern.test(file.path));
  if (has(/^(_session\.json|_index\.md)$/)) return ok(source('infinite-memory-1.2', place, readInfiniteMemory(files, project)));
  if (isJsonStore(files)) return ok(source('json-store', place, readJsonStore(files)));
  if (has(/^conversations\/.+\.md$|^master\.md$/)) return ok(source('memory-folder', place, readMemoryFolder(files)));
  if (has(/^memory\/MEMORY\.md$/)) return ok(source('memory-module', place, readMemoryModule(files)));
  if (has(/^MEMORY\.md$/)) return ok(source('auto-memory', place, readAutoMemory(files)));
  return isBasicMemory(files) ? ok(source('basic-memory', place, readBasicMemory(files))) : unknown(place);
}

const unknown = (place: string): Result<never> =>
  refuse('INPUT_ERROR', `${place} is no memory that can be taken over`, {
    hint: 'Infinite Memory folders, a store of JSON records, _memory/, a tree with memory/MEMORY.md, auto memory, a knowledge graph as JSON lines, basic-memory notes, claude-mem.db',
  });

const jsonRecords = (files: readonly SourceFile[]): number =>
  files.filter(({ path }) => /^[^/]+\/[^/]+\.json$/.test(path) && RECORD_FOLDERS.includes(path.split('/')[0] ?? '')).length;

/** Infinite Memory's own folders, with files that carry no front matter; those that we wrote ourselves were taken over word for word. */
async function plainRecords(root: string, journal: string): Promise<number> {
  const plain = textsIn(root).filter(({ path, text }) => /^(decisions|analysis|subagent)\/[^/]+\.md$/.test(path) && !/^\uFEFF?---\r?\n/.test(text));
  if (plain.length === 0) return 0;
  const written = (await new FileJournal(journal).entries()).filter((entry) => entry.root === 'private' && entry.op !== 'adopt');
  const ours = new Set(written.map(({ path }) => path));
  return plain.filter(({ path }) => !ours.has(path)).length;
}

/** Read from a copy: opening a database of somebody else would already write beside it. */
function readTables(file: string): ClaudeMemTables {
  const os = process.getBuiltinModule('node:os');
  const scratch = mkdtempSync(join(os.tmpdir(), 'holdfast-migrate-'));
  try {
    const copy = join(scratch, 'copy.db');
    for (const suffix of ['', '-wal']) if (isFile(file + suffix)) copyFileSync(file + suffix, copy + suffix);
    const database = openDatabase(copy);
    try {
      const there = new Set(
        database
          .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
          .all()
          .map(({ name }) => String(name)),
      );
      return Object.fromEntries(TABLES.filter((table) => there.has(table)).map((table) => [table, database.prepare(`SELECT * FROM ${table}`).all()]));
    } finally {
      database.close();
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

const isClaudeMem = (file: string): boolean => {
  const tables = readTables(file);
  return tables.observations !== undefined || tables.session_summaries !== undefined;
};

/** The tool names a project by its folder. */
function claudeMem(file: string, project: Project): MigrationSource {
  const keyOf = (name: string): string => projectKey(name, md5);
  const names = new Set([project.key, keyOf(project.worktree), keyOf(project.path)]);
  return source(
    'claude-mem',
    file,
    readClaudeMem(readTables(file), (name) => name !== '' && names.has(keyOf(name))),
  );
}
