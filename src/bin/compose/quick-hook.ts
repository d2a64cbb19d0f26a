import { readdirSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { HookLogFolder } from '../../adapters/files/hook-log.ts';
import { programMark, readAhead, sayAhead } from './ahead.ts';
import { homeFolder } from './home.ts';
import { CONFIG_NAME, placesIn } from './places.ts';
import { spawnFinish } from './spawn-finish.ts';

/** More projects than this are not looked through. */
const MOST_PROJECTS = 300;
const NEW: ReadonlySet<unknown> = new Set(['startup', 'clear']);

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
  readonly event: 'SessionStart' | 'SessionEnd';
  readonly input: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly client: string;
  /** Where the program lies. */
  readonly folder: string;
}

const filled = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' && !value.startsWith('${') ? value : undefined);

/** Answers what can be answered by looking at a few files; false leaves it, and whatever is wrong with it, to the whole program. */
export function answerQuickly({ event, input, env, client, folder }: Quick): boolean {
  try {
    const fields = JSON.parse(input) as Readonly<Record<string, unknown>>;
    if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return false;
    const home = homeFolder({ env });
    if (isOffEverywhere(home)) return true;
    const [cwd, session, now] = [filled(fields['cwd']) ?? env['CLAUDE_PROJECT_DIR'] ?? process.cwd(), filled(fields['session_id']), Date.now()];
    const ahead = readAhead(home, cwd, programMark(folder), now);
    if (!ahead || session === undefined) return false;
    const start = event === 'SessionStart';
    const said = start && NEW.has(fields['source']) ? sayAhead(ahead, session, String(fields['source']), now) : undefined;
    if (start && said === undefined) return false;
    new HookLogFolder(placesIn(home).hooks).saw(client, event, now);
    if (said !== undefined) writeSync(1, said);
    const transcript = filled(fields['transcript_path']);
    if (!start) spawnFinish({ home, cwd, session, ...(transcript !== undefined && { transcript }) }, env);
    return true;
  } catch {
    return false;
  }
}
