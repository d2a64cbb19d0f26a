import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../../core/value.ts';

/** The client expands a command right after the hook; older words are of a command that never ran. */
const EXPIRY_MS = 60_000;

/** The file is named by the session id, without characters that could lead elsewhere. */
const fileOf = (state: string, session: string): string => join(state, 'typed', `${session.replace(/[^\w-]/g, '_').slice(0, 100)}.json`);

const textIn = (value: Readonly<Record<string, unknown>>, name: string): string => (typeof value[name] === 'string' ? value[name] : '');

/** Stores a command's arguments from the client's hook, which runs before the command is expanded, so that they never pass through a shell. */
export function storeTypedWords(state: string, input: string): void {
  const event: unknown = JSON.parse(input);
  if (!isObject(event) || textIn(event, 'session_id') === '') return;
  const file = fileOf(state, textIn(event, 'session_id'));
  mkdirSync(join(state, 'typed'), { recursive: true, mode: 0o700 });
  const [command, words] = [textIn(event, 'command_name').replace(/^.*:/, ''), textIn(event, 'command_args')];
  writeFileSync(file, JSON.stringify({ command, words }), { mode: 0o600 });
}

/** Takes the stored arguments of this session's command; undefined if no hook stored any. */
export function takeTypedWords(state: string, session: string | undefined, command: string, now: number): string | undefined {
  if (session === undefined) return undefined;
  const file = fileOf(state, session);
  try {
    const age = now - statSync(file).mtimeMs;
    const stored: unknown = JSON.parse(readFileSync(file, 'utf8'));
    rmSync(file);
    return isObject(stored) && textIn(stored, 'command') === command && age < EXPIRY_MS ? textIn(stored, 'words') : undefined;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw cause;
  }
}
