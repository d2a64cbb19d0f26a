import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export interface ClientHomes {
  readonly home: string;
  readonly userHome: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Set when the home was named on the command line: then no other home of Claude Code is looked into. */
  readonly named: boolean;
}

const named = (value: string | undefined): string | undefined => (value === undefined || value.trim() === '' ? undefined : value);

/** Every folder in which a client on this machine keeps transcripts. */
export function transcriptFolders({ home, userHome: user, env, named: isNamed }: ClientHomes): readonly string[] {
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
export const claudeFolderName = (path: string): string => path.replace(/[^A-Za-z0-9]/g, '-');
