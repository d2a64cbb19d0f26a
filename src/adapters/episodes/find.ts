import { existsSync, readdirSync, statSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import type { TranscriptFile, TranscriptFinder } from '../../core/ports/episodes.ts';

const EXTENSIONS = new Set(['.jsonl', '.json']);
const PASSED_OVER = new Set(['node_modules', '.git']);

/** The transcripts of this machine. */
export const transcriptFinder = (homes: () => ClientHomes): TranscriptFinder => ({
  at: findTranscripts,
  ofClients: (project) => {
    const folders = transcriptFolders(homes());
    return findTranscripts(project === undefined ? folders : folders.map((folder) => join(folder, claudeFolderName(project)))).files;
  },
  ofSession: (project, sessionId) => {
    const name = join(claudeFolderName(project), `${sessionId}.jsonl`);
    const path = transcriptFolders(homes())
      .map((folder) => join(folder, name))
      .find((file) => existsSync(file));
    const stat = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false });
    return path === undefined || stat === undefined ? undefined : { path, size: stat.size, mtimeMs: stat.mtimeMs };
  },
});

/** The files behind paths, oldest first: a file is itself, a folder everything in it that may be a transcript. */
export function findTranscripts(paths: readonly string[]): ReturnType<TranscriptFinder['at']> {
  const files = new Map<string, TranscriptFile>();
  const missing: string[] = [];
  for (const path of paths.map((given) => resolve(given))) {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) missing.push(path);
    else if (stat.isDirectory()) for (const file of filesUnder(path)) add(files, file);
    else add(files, path);
  }
  return { files: [...files.values()].toSorted((a, b) => a.mtimeMs - b.mtimeMs || (a.path < b.path ? -1 : 1)), missing };
}

function add(files: Map<string, TranscriptFile>, path: string): void {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isFile()) files.set(path, { path, size: stat.size, mtimeMs: stat.mtimeMs });
}

/** Our own settings lie beside the client's transcripts. */
const SETTINGS = 'memory-config.json';

/** Links to folders are not followed: they may lead in circles. */
function* filesUnder(folder: string): Generator<string> {
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!PASSED_OVER.has(entry.name)) yield* filesUnder(path);
    } else if (EXTENSIONS.has(extname(entry.name)) && !entry.name.endsWith('.meta.json') && entry.name !== SETTINGS) yield path;
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

export interface ClientHomes {
  readonly home: string;
  readonly userHome: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Set when the home was named on the command line: then no other home of Claude Code is looked into. */
  readonly named: boolean;
}

const named = (value: string | undefined): string | undefined => (value === undefined || value.trim() === '' ? undefined : value);

/** Every folder in which a client on this machine keeps transcripts. */
function transcriptFolders({ home, userHome: user, env, named: isNamed }: ClientHomes): readonly string[] {
  const claude = [home, ...(isNamed ? [] : [named(env['CLAUDE_CONFIG_DIR']) ?? join(user, '.claude')])];
  const gemini = join(named(env['GEMINI_CLI_HOME']) ?? user, '.gemini', 'tmp');
  const folders = [
    ...claude.map((folder) => join(folder, 'projects')),
    join(named(env['CODEX_HOME']) ?? join(user, '.codex'), 'sessions'),
    join(named(env['CODEX_HOME']) ?? join(user, '.codex'), 'archived_sessions'),
    ...foldersIn(gemini).map((project) => join(gemini, project, 'chats')),
  ];
  return [...new Set(folders)].filter((folder) => existsSync(folder));
}

const foldersIn = (folder: string): readonly string[] => (existsSync(folder) ? readdirSync(folder) : []);

/** How Claude Code names the folder of a working directory. */
const claudeFolderName = (path: string): string => path.replace(/[^A-Za-z0-9]/g, '-');

/** A plain file: a device or a pipe in place of a transcript may have no end. */
export const isFile = (path: string): boolean => {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
};
