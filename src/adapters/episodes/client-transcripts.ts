import { closeSync, existsSync, readdirSync, readSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { TranscriptFile, TranscriptFinder, Transcripts } from '../../core/ports/episodes.ts';
import { findTranscripts, oldestFirst } from './find.ts';
import { openRegular } from './lines.ts';

export interface ClientHomes {
  readonly home: string;
  readonly userHome: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether the command line names the home: then no other home of Claude Code is searched. */
  readonly named: boolean;
}

/** Conversations in a client's database, each as a transcript of its own. */
export interface SessionDatabases {
  readonly transcripts: Transcripts;
  isDatabase(file: string): boolean;
  isSession(path: string): boolean;
  /** The sessions of a database, or those that ran in or below a folder. */
  sessions(file: string, folder?: string): readonly TranscriptFile[];
}

const nonEmpty = (value: string | undefined): string | undefined => (value === undefined || value.trim() === '' ? undefined : value);

/** Opens a path as a session of a database if it names one, else as a file. */
export const transcriptsOf = (files: Transcripts, databases: SessionDatabases): Transcripts => ({
  open: (path, from) => (databases.isSession(path) ? databases.transcripts : files).open(path, from),
});

/** The transcripts of this machine. */
export const transcriptFinder = (homes: () => ClientHomes, databases: SessionDatabases): TranscriptFinder => ({
  at: (paths) => {
    const [inDatabases, others] = [paths.filter(databases.isDatabase), paths.filter((path) => !databases.isDatabase(path))];
    const { files, missing } = findTranscripts(others);
    return { files: oldestFirst([...files, ...inDatabases.flatMap((path) => databases.sessions(path))]), missing };
  },
  ofClients: (project) => {
    const places = placesOf(homes());
    const ofOthers = places.databases.flatMap((file) => databases.sessions(file, project));
    const files = project === undefined ? findTranscripts(allFolders(places)).files : filesOfProject(places, project);
    return oldestFirst([...files, ...ofOthers]);
  },
  ofSession: (project, sessionId) => {
    const name = join(folderName(project), `${sessionId}.jsonl`);
    const path = placesOf(homes())
      .byFolder.map((folder) => join(folder, name))
      .find((file) => existsSync(file));
    const stat = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false });
    return path === undefined || stat === undefined ? undefined : { path, size: stat.size, mtimeMs: stat.mtimeMs };
  },
});

interface TranscriptPlaces {
  /** Folders that hold a folder for each project, named after its path. */
  readonly byFolder: readonly string[];
  /** Chats of one project each; a file above them names the project's folder. */
  readonly chatFolders: readonly string[];
  /** Transcripts of all projects, each naming its folder in its first line. */
  readonly mixed: readonly string[];
  readonly databases: readonly string[];
}

/** Where the clients on this machine keep transcripts. */
function placesOf({ home, userHome: user, env, named: isNamed }: ClientHomes): TranscriptPlaces {
  const claude = [home, ...(isNamed ? [] : [nonEmpty(env['CLAUDE_CONFIG_DIR']) ?? join(user, '.claude')])];
  const gemini = join(nonEmpty(env['GEMINI_CLI_HOME']) ?? user, '.gemini', 'tmp');
  const codex = nonEmpty(env['CODEX_HOME']) ?? join(user, '.codex');
  const data = nonEmpty(env['XDG_DATA_HOME']) ?? join(user, '.local', 'share');
  const existing = (paths: readonly string[]): readonly string[] => [...new Set(paths)].filter((path) => existsSync(path));
  return {
    byFolder: existing([...claude.map((folder) => join(folder, 'projects')), join(user, '.qwen', 'projects'), join(user, '.factory', 'sessions')]),
    chatFolders: existing(foldersIn(gemini).map((project) => join(gemini, project, 'chats'))),
    mixed: existing([
      join(codex, 'sessions'),
      join(codex, 'archived_sessions'),
      join(nonEmpty(env['COPILOT_HOME']) ?? join(user, '.copilot'), 'session-state'),
    ]),
    databases: existing([join(data, 'opencode', 'opencode.db'), join(data, 'kilo', 'kilo.db')]),
  };
}

const allFolders = ({ byFolder, chatFolders, mixed }: TranscriptPlaces): readonly string[] => [...byFolder, ...chatFolders, ...mixed];

/** A session start imports only recent transcripts; `holdfast import` reads all. */
const RECENT_MS = 30 * 24 * 60 * 60 * 1000;

function filesOfProject({ byFolder, chatFolders, mixed }: TranscriptPlaces, project: string): readonly TranscriptFile[] {
  const own = [...byFolder.map((folder) => join(folder, folderName(project))), ...chatFolders.filter((chats) => isIn(project, projectAbove(chats)))];
  const since = Date.now() - RECENT_MS;
  const others = findTranscripts(mixed).files.filter(({ path, mtimeMs }) => mtimeMs >= since && isIn(project, folderIn(path)));
  return [...findTranscripts(own).files, ...others];
}

const isIn = (project: string, folder: string | undefined): boolean => folder !== undefined && (folder === project || folder.startsWith(`${project}${sep}`));

const foldersIn = (folder: string): readonly string[] => (existsSync(folder) ? readdirSync(folder) : []);

const projectAbove = (chats: string): string | undefined => headOf(join(chats, '..', '.project_root'))?.trim();

const HEAD_BYTES = 1 << 16;
const WORKING_FOLDER = /"cwd"\s*:\s*("(?:[^"\\]|\\.)*")/;

/** The first bytes of a file; undefined if it cannot be read now: the next import tries again. */
function headOf(path: string): string | undefined {
  try {
    const handle = openRegular(path);
    try {
      const head = Buffer.alloc(HEAD_BYTES);
      return head.toString('utf8', 0, readSync(handle, head, 0, HEAD_BYTES, 0));
    } finally {
      closeSync(handle);
    }
  } catch {
    return undefined;
  }
}

/** The working folder that the first line of a transcript names. */
function folderIn(path: string): string | undefined {
  const quoted = WORKING_FOLDER.exec(headOf(path)?.split('\n', 1)[0] ?? '')?.[1];
  try {
    return quoted === undefined ? undefined : String(JSON.parse(quoted));
  } catch {
    return undefined;
  }
}

/** How Claude Code, Qwen Code and Droid name the folder of a working directory. */
const folderName = (path: string): string => path.replace(/[^A-Za-z0-9]/g, '-');
