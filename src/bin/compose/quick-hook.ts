import { existsSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { markSeen } from '../../adapters/files/hook-log.ts';
import { programMark, readAhead, sayAhead } from './ahead.ts';
import { homeFolder } from './home.ts';
import { closeOwed, owe } from './owed.ts';
import { CONFIG_NAME, placesIn } from './places.ts';
import { isServed, takeServed } from './served.ts';
import { ON_INPUT, spawnFinish } from './spawn-finish.ts';
import { workingFolder } from './working-folder.ts';

/** More projects than this are not looked through. */
const MOST_PROJECTS = 300;
/** Starts that are told all there is, as the log calls them. */
const NEW: ReadonlyMap<unknown, string> = new Map([
  ['startup', 'startup'],
  ['clear', 'clear'],
  ['fork', 'startup'],
]);

const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    if (['ENOENT', 'ENOTDIR'].includes((cause as NodeJS.ErrnoException).code ?? '')) return '';
    throw cause;
  }
};

const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

/** Whether a text could say yes to memory; an escape could spell anything. */
const maySayYes = (file: string): boolean => /"on"|\\u/i.test(textOf(file));

/** Nobody has switched memory on, for all projects or for any: most who installed a plugin for one project. */
function isOffEverywhere(home: string): boolean {
  const { settings, privateRoot } = placesIn(home);
  if (maySayYes(settings)) return false;
  const projects = namesIn(join(home, 'projects'));
  return projects.length <= MOST_PROJECTS && !projects.some((key) => maySayYes(join(privateRoot(key), CONFIG_NAME)));
}

export interface Quick {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly client: string;
  /** Where the program lies. */
  readonly folder: string;
}

/** What a client says of a session, on standard input or in the environment. */
export type SessionFields = Readonly<Record<string, unknown>>;

/** Answered, or to be answered by the whole program; where nothing is known of the folder, memory may be off there. */
export type Quickly = 'answered' | 'unknown' | 'whole';

const filled = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' && !value.startsWith('${') ? value : undefined);

/** What standard input holds, if it is as expected. */
export function fieldsOf(input: string): SessionFields | undefined {
  try {
    const fields: unknown = JSON.parse(input);
    return typeof fields === 'object' && fields !== null && !Array.isArray(fields) ? (fields as SessionFields) : undefined;
  } catch {
    return undefined;
  }
}

export const folderOf = (fields: SessionFields, env: Quick['env']): string => filled(fields['cwd']) ?? env['CLAUDE_PROJECT_DIR'] ?? workingFolder(env);

/** Whether the server that knew of a session has it finished. */
export function isFinished(fields: SessionFields, { env, client }: Quick): boolean {
  try {
    const [home, session] = [homeFolder({ env }), filled(fields['session_id'])];
    if (session === undefined) return false;
    closeOwed(home, session);
    if (!takeServed(home, session)) return false;
    markSeen(placesIn(home).hooks, client, 'SessionEnd', Date.now());
    return true;
  } catch {
    return false;
  }
}

/** Ends a session by looking at a few files; what it leaves behind is taken in by a process that nobody waits for, which also reads what nobody has read yet. */
export function endQuickly(fields: SessionFields, { env, client, folder }: Quick, isRead: boolean): Quickly {
  try {
    const [home, now] = [homeFolder({ env }), Date.now()];
    const [session, transcript, cwd] = [filled(fields['session_id']), isRead ? filled(fields['transcript_path']) : ON_INPUT, folderOf(fields, env)];
    // A session that was never written down has left nothing to finish.
    if (isOffEverywhere(home) || (isRead && transcript !== undefined && !existsSync(transcript))) return 'answered';
    if (session === undefined || !readAhead(home, cwd, programMark(folder), now)) return 'unknown';
    spawnFinish({ home, cwd, session, ...(transcript !== undefined && { transcript }) }, env);
    markSeen(placesIn(home).hooks, client, 'SessionEnd', now);
    return 'answered';
  } catch {
    return 'whole';
  }
}

/** Leaves what a start is to be told to the server where memory is on, there is one, and nothing was made ahead that still holds. */
export function leaveToServer(fields: SessionFields, { env, client }: Quick): boolean {
  try {
    const [home, now] = [homeFolder({ env }), Date.now()];
    const isLeft = owe(home, client, filled(fields['session_id']) ?? '', fields['source'], now);
    if (isLeft) markSeen(placesIn(home).hooks, client, 'SessionStart', now);
    return isLeft;
  } catch {
    return false;
  }
}

/** Starts a session by looking at a few files; everything else, and whatever is wrong with them, is left to others. */
export function startQuickly(fields: SessionFields, { env, client, folder }: Quick): Quickly {
  try {
    const [home, cwd, session, source, now] = [homeFolder({ env }), folderOf(fields, env), filled(fields['session_id']), fields['source'], Date.now()];
    if (session !== undefined && source === 'compact' && isServed(home, session)) return 'answered';
    if (isOffEverywhere(home)) return 'answered';
    const ahead = readAhead(home, cwd, programMark(folder), now);
    if (!ahead) return 'unknown';
    const event = NEW.get(source);
    const said = session !== undefined && event !== undefined ? sayAhead(ahead, session, event, now) : undefined;
    if (said === undefined) return leaveToServer(fields, { env, client, folder }) ? 'answered' : 'whole';
    writeSync(1, said);
    markSeen(placesIn(home).hooks, client, 'SessionStart', now);
    return 'answered';
  } catch {
    return 'whole';
  }
}
